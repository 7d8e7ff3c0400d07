#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives the real program as a person does: real X events under Xvfb, from its start over another K and the hybrid that is distilled with it to a PDF of the Layers page,
once by keyboard alone and once by mouse alone.

usage: drive.py PROGRAM COMMAND_LINE FOLDER keyboard|mouse

The keyboard and the mouse are xdotool's. Where things stand is asked of the program as a screen reader asks it (AT-SPI). Nothing sleeps for a fixed time: every step
waits until what it needs is there. Ends with 77, and says why, where a tool is missing.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

SKIPPED = 77
PATIENCE_SECONDS = 25.0
DISTILLATION_SECONDS = 120.0       # a few on a machine that does nothing else
SHIPPED_K = 2
COLUMN_POINTS = 234.0       # 3.25 inches, the column of the first venue


def wait_for(what, look, seconds=PATIENCE_SECONDS):
    """The first answer of look() that is true."""
    end = time.monotonic() + seconds
    while True:
        answer = look()
        if answer:
            return answer
        if time.monotonic() > end:
            raise SystemExit(f"drive: after {seconds:.0f} s there is still no {what}")
        time.sleep(0.05)


def do_until(what, act, look, seconds=2.0):
    """Does it again where nothing came of it in this time: scores are read behind the window, and what is asked for too early is refused."""
    def try_once():
        act()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if look():
                return True
            time.sleep(0.05)
        return False
    wait_for(what, try_once)


class Session:
    """An X server, a message bus and the program, in a folder of their own; all of them end with it."""

    def __init__(self, folder):
        self.processes = []
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("home", "run"):
            os.makedirs(os.path.join(folder, name), mode=0o700)
        self.home = os.path.join(folder, "home")
        self.environment = {**os.environ, "HOME": self.home, "XDG_RUNTIME_DIR": os.path.join(folder, "run"), "XDG_CONFIG_HOME": os.path.join(self.home, ".config"),
                            "XDG_DATA_HOME": os.path.join(self.home, ".local"), "XDG_CACHE_HOME": os.path.join(self.home, ".cache"), "LC_ALL": "C.UTF-8", "QT_FONT_DPI": "96",
                            "QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        for name in ("WAYLAND_DISPLAY", "AT_SPI_BUS_ADDRESS", "QT_SCALE_FACTOR"):
            self.environment.pop(name, None)

    def begin(self, program, command_line):
        self.command_line = os.path.abspath(command_line)
        self.environment["DISPLAY"] = ":" + self.start_and_read(["Xvfb", "-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"])
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.start_and_read(["dbus-daemon", "--session", "--nofork", "--print-address=1"])
        self.program = self.start([os.path.abspath(program), os.path.join(self.folder, "workspace"), "--theme", "light"], cwd=self.home)

    def own_hybrids(self):
        """The runs that distil with another K than the shipped hybrids have, as the command line tells them."""
        self.told = told = subprocess.run([self.command_line, "runs", "list", "--json", "--workspace", os.path.join(self.folder, "workspace")],
                              env=self.environment, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
        if told.returncode != 0:        # asked before the program had made its workspace
            return []
        return [run for run in json.loads(told.stdout) if run["kind"] == "distill" and run["keep"] != SHIPPED_K]

    def wait_for_hybrid(self):
        try:
            ended = wait_for("distilled hybrid", lambda: [run for run in self.own_hybrids() if run["status"] != "running"], DISTILLATION_SECONDS)
        except SystemExit:
            print(f"drive: runs list ended with {self.told.returncode}: {self.told.stderr}", file=sys.stderr)
            raise
        run = ended[0]
        assert run["status"] == "finished", run
        assert run["keep"] == len(run["layers"]) and run["measures"]["kl_nats"] > 0.0, run
        print(f"drive: distilled layers {run['layers']} in {run['seconds']:.1f} s, KL {run['measures']['kl_nats']:.3f} nats/token")

    def start(self, command, **options):
        process = subprocess.Popen(command, env=self.environment, **options)
        self.processes.append(process)
        return process

    def start_and_read(self, command):
        return self.start(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.readline().strip()

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS).stdout.split()

    def windows(self, title):
        return self.xdotool("search", "--onlyvisible", "--name", title)

    def window(self, title):
        """Waits for it and gives it the keyboard: there is no window manager that would."""
        found = wait_for(f"window “{title}”", lambda: self.windows(title))[0]
        self.xdotool("windowfocus", "--sync", found)
        return found

    def key(self, *keys):
        self.xdotool("key", "--clearmodifiers", *keys)

    def click(self, place, button=1):
        left, top, width, height = place
        self.xdotool("mousemove", "--sync", left + width // 2, top + height // 2, "click", button)


class Screen:
    """What the program tells of itself to a screen reader."""
    ACCESSIBLE, COMPONENT = "org.a11y.atspi.Accessible", "org.a11y.atspi.Component"
    SHOWING = 25      # a bit of the state

    def __init__(self, address):
        import dbus
        import dbus.bus
        self.dbus = dbus
        bus = dbus.bus.BusConnection(address)
        self.bus = dbus.bus.BusConnection(str(bus.get_object("org.a11y.Bus", "/org/a11y/bus").GetAddress(dbus_interface="org.a11y.Bus")))

    def call(self, thing, interface, method, *arguments):
        return self.bus.call_blocking(thing[0], thing[1], interface, method, "".join("u" if isinstance(one, int) else "s" for one in arguments), arguments, timeout=10.0)

    def about(self, thing, name):
        return self.bus.call_blocking(thing[0], thing[1], "org.freedesktop.DBus.Properties", "Get", "ss", (self.ACCESSIBLE, name), timeout=10.0)

    def children(self, thing):
        return self.call(thing, self.ACCESSIBLE, "GetChildren")

    def is_showing(self, thing):
        return bool(int(self.call(thing, self.ACCESSIBLE, "GetState")[0]) >> self.SHOWING & 1)

    def find(self, roles, name):
        """The first thing to be seen of one of the roles whose name begins so; None where there is none."""
        ahead = [("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")]
        while ahead:
            thing = ahead.pop(0)
            try:
                role = str(self.call(thing, self.ACCESSIBLE, "GetRoleName"))
                if role in roles and str(self.about(thing, "Name")).replace("&", "").startswith(name) and self.is_showing(thing):
                    return thing
                if role not in ("table", "combo box", "text"):
                    ahead.extend(self.children(thing))
            except self.dbus.DBusException:      # it went while one looked at it
                continue
        return None

    def number(self, roles, name):
        """The value of a slider or a box of numbers; None where it is not to be seen."""
        thing = self.find(roles, name)
        try:
            return thing and self.bus.call_blocking(thing[0], thing[1], "org.freedesktop.DBus.Properties", "Get", "ss", ("org.a11y.atspi.Value", "CurrentValue"), timeout=10.0)
        except self.dbus.DBusException:          # it went meanwhile
            return None

    def place(self, roles, name):
        """Where it is, in pixels of the screen: left, top, width, height. Waits for it."""
        thing = wait_for(f"{'/'.join(roles)} “{name}”", lambda: self.find(roles, name))
        return tuple(int(one) for one in self.call(thing, self.COMPONENT, "GetExtents", 0))


def by_keyboard(session, folder):
    session.window("Demo teacher")
    session.key("ctrl+2")
    do_until("job", lambda: session.key("alt+k", "ctrl+a", "3", "Return", "ctrl+d"), session.own_hybrids, seconds=8.0)
    session.wait_for_hybrid()
    do_until("dialog", lambda: session.key("ctrl+e"), lambda: session.windows("^Export: "))
    session.window("^Export: ")
    session.key("alt+o", "ctrl+a")
    session.xdotool("type", "--delay", "4", folder)
    session.key("Return")
    files = wait_for("exported file", lambda: finished_files(folder))
    session.key("Escape")
    wait_for("end of the dialog", lambda: not session.windows("^Export: "))
    session.window("Demo teacher")
    session.key("ctrl+q")
    return files


def by_mouse(session, folder):
    screen = Screen(session.environment["DBUS_SESSION_BUS_ADDRESS"])
    session.window("Demo teacher")
    session.click(screen.place({"list item"}, "Layers"))
    slider = {"slider"}, "Softmax layers kept"

    def raise_keep():
        left, top, width, height = screen.place(*slider)
        session.click((left + width * 9 // 10, top, width // 10, height * 2 // 3))      # on its groove, beside the handle: one more

    def keep():
        return screen.number(*slider) or 0

    wait_for("scores", lambda: keep() > 0)
    do_until("another K", raise_keep, lambda: keep() > SHIPPED_K)
    session.click(screen.place({"push button", "button"}, "Distil this hybrid"))
    session.wait_for_hybrid()

    def ask():
        session.click(screen.place({"menu item"}, "File"))
        session.click(screen.place({"menu item"}, "Export…"))

    do_until("dialog", ask, lambda: session.windows("^Export: "))
    session.window("^Export: ")
    session.click(screen.place({"push button", "button"}, "Export"))
    files = wait_for("exported file", lambda: finished_files(folder))
    session.click(screen.place({"push button", "button"}, "Close"))
    wait_for("end of the dialog", lambda: not session.windows("^Export: "))
    session.click(screen.place({"menu item"}, "File"))
    session.click(screen.place({"menu item"}, "Quit"))
    return files


def finished_files(folder):
    """The PDFs of the folder, once the last one is whole."""
    files = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".pdf")]
    return files if files and all(open(one, "rb").read().rstrip().endswith(b"%%EOF") for one in files) else []


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def check(pdf):
    facts = dict(line.split(":", 1) for line in output_of("pdfinfo", pdf).splitlines() if ":" in line)
    width = float(facts["Page size"].split()[0])
    assert int(facts["Pages"]) == 1 and abs(width - COLUMN_POINTS) < 1.0, facts
    fonts = output_of("pdffonts", pdf).splitlines()[2:]
    assert fonts, "no fonts: its text is no text"
    for line in fonts:
        assert "Type 3" not in line and line.split()[-5] == "yes", line      # embedded
    assert "KL" in output_of("pdftotext", pdf, "-"), "the axis is not named"
    print(f"drive: {os.path.basename(pdf)}: 1 page of {width:.0f} points, {len(fonts)} fonts embedded")


def what_is_missing(way):
    for tool, package in (("Xvfb", "xvfb"), ("xdotool", "xdotool"), ("dbus-daemon", "dbus-daemon"), ("pdffonts", "poppler-utils")):
        if not shutil.which(tool):
            return f"{tool} is not installed (package {package})"
    if way == "mouse":
        try:
            import dbus  # noqa: F401
        except ImportError:
            return "Python's dbus is not installed (package python3-dbus)"
        if not os.path.exists("/usr/share/dbus-1/services/org.a11y.Bus.service"):
            return "the bus of screen readers is not installed (package at-spi2-core)"
    return ""


def main():
    program, command_line, folder, way = sys.argv[1:5]
    if missing := what_is_missing(way):
        print("skipped: " + missing)
        return SKIPPED
    began = time.monotonic()
    session = Session(os.path.abspath(folder))
    try:
        session.begin(program, command_line)
        if way == "keyboard":
            target = os.path.join(session.home, "paper")
            os.mkdir(target)
            files = by_keyboard(session, target)
        else:
            files = by_mouse(session, session.home)      # where an account without documents keeps its files
        status = session.program.wait(PATIENCE_SECONDS)
        assert status == 0, f"the program ended with {status}"
    finally:
        session.end()
    assert len(files) == 1, files
    check(files[0])
    print(f"drive: by {way} in {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
