// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"

int main(int argc, char **argv)
{
    return stillroom::cli::runCommandLine(argc, argv);
}
