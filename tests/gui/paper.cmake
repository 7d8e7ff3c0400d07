# SPDX-License-Identifier: GPL-3.0-or-later
# From a workspace to a document, as an author does it: figures.json, the files of all figures, LaTeX. Two processes make the same bytes, the command line the same
# tables and TikZ as the window's program. What needs pdflatex or poppler-utils is left out, and said, where they are not installed.
# WINDOW, CLI: the programs. WORKSPACE: the runs that ship. FOLDER: where to work.
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}/workspace")
file(COPY "${WORKSPACE}/runs" DESTINATION "${FOLDER}/workspace")
set(figures)
foreach(plot layer-scores ranks curve overlap agreement)
  set(choices)
  if(plot STREQUAL "agreement")
    set(choices "\"choices\": [\"6eedea9f/score/ga-s2/gdn\", \"6eedea9f/align/ga-s1/gdn\"], ")
  endif()
  list(APPEND figures "{\"plot\": \"${plot}\", \"teacher\": \"demo\", ${choices}\"keep\": 2, \"formats\": [\"pdf\", \"svg\", \"png\", \"tikz\", \"latex\", \"csv\", \"markdown\"]}")
endforeach()
list(JOIN figures ", " figures)
file(WRITE "${FOLDER}/figures.json" "{\"schema\": 1, \"figures\": [${figures}]}")

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} ended with ${status}:\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()
function(refused why)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE said)
  if(status EQUAL 0 OR NOT said MATCHES "${why}")
    message(FATAL_ERROR "${ARGN} ended with ${status}:\n${said}")
  endif()
endfunction()
function(same_bytes one other)
  file(SHA256 "${FOLDER}/${one}" first)
  file(SHA256 "${FOLDER}/${other}" second)
  if(NOT first STREQUAL second)
    message(FATAL_ERROR "${one} and ${other} differ")
  endif()
endfunction()

run("${WINDOW}" workspace --figures figures.json --out paper)
run("${WINDOW}" workspace --figures figures.json --out again)
run("${CLI}" figures --spec figures.json --out texts --workspace workspace)
file(GLOB made RELATIVE "${FOLDER}/paper" "${FOLDER}/paper/*")
list(LENGTH made count)
if(NOT count EQUAL 45)
  message(FATAL_ERROR "45 files were expected, not ${count}: ${made}")
endif()
foreach(file ${made})
  same_bytes("paper/${file}" "again/${file}")
endforeach()
file(GLOB texts RELATIVE "${FOLDER}/texts" "${FOLDER}/texts/*")
foreach(file ${texts})
  if(NOT file MATCHES "^overlap\\.(csv|md|tex|tikz.tex)$")      # choices have the window's words there, here the names that commands take
    same_bytes("paper/${file}" "texts/${file}")
  endif()
endforeach()

# A figure that cannot be made is named, and does not stop the others.
file(WRITE "${FOLDER}/partly.json" "{\"figures\": [{\"plot\": \"agreement\"}, {\"plot\": \"ranks\", \"teacher\": \"demo\", \"keep\": 2, \"formats\": [\"csv\"]}]}")
foreach(program "${WINDOW};workspace;--figures;partly.json;--out;partly" "${CLI};figures;--spec;partly.json;--out;partly-texts;--workspace;workspace")
  refused("an agreement is between two .the other figure is made." ${program})
endforeach()
same_bytes("partly/ranks.csv" "paper/ranks.csv")

# Nothing is written over the file that is read, nor among what the workspace keeps.
file(WRITE "${FOLDER}/ranks.json" "{\"figures\": [{\"plot\": \"ranks\", \"teacher\": \"demo\", \"keep\": 2, \"formats\": [\"csv\"]}]}")
foreach(program "${WINDOW};workspace;--figures;ranks.json" "${CLI};figures;--spec;ranks.json;--workspace;workspace")
  refused("is the one that the figures are read from" ${program} --out .)
  refused("is where the workspace keeps what runs made" ${program} --out workspace/runs)
endforeach()
if(EXISTS "${FOLDER}/ranks.csv" OR EXISTS "${FOLDER}/workspace/runs/ranks.csv")
  message(FATAL_ERROR "a figure that was refused has left a file")
endif()
same_bytes("partly-texts/ranks.csv" "paper/ranks.csv")

find_program(PDFFONTS pdffonts)
find_program(PDFINFO pdfinfo)
if(PDFFONTS AND PDFINFO)
  run("${PDFINFO}" paper/layer-scores.pdf)
  if(NOT said MATCHES "Page size: +234 x")      # 3.25 in
    message(FATAL_ERROR "not the width of a column:\n${said}")
  endif()
  run("${PDFFONTS}" paper/layer-scores.pdf)
  if(said MATCHES "Type 3" OR NOT said MATCHES "TrueType" OR said MATCHES " no +(yes|no) +(yes|no) ")
    message(FATAL_ERROR "fonts that journals refuse:\n${said}")
  endif()
else()
  message("left out: pdffonts and pdfinfo (poppler-utils) are not installed")
endif()

find_program(PDFLATEX pdflatex)
find_program(KPSEWHICH kpsewhich)
set(lacking)
foreach(file booktabs.sty siunitx.sty pgfplots.sty standalone.sty)
  if(KPSEWHICH)
    execute_process(COMMAND "${KPSEWHICH}" ${file} OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(NOT found)
    list(APPEND lacking ${file})
  endif()
endforeach()
if(NOT PDFLATEX OR lacking)
  message("left out: pdflatex with booktabs, siunitx, pgfplots and standalone is not installed")
  return()
endif()
file(WRITE "${FOLDER}/paper/paper.tex" [=[
\documentclass[twocolumn]{article}
\usepackage{booktabs,siunitx,graphicx,pgfplots,standalone}
\usepgfplotslibrary{fillbetween}
\usetikzlibrary{patterns}
\begin{document}
\begin{figure}\includegraphics{layer-scores.pdf}\caption{Drawn.}\end{figure}
\begin{figure}\input{layer-scores.tikz.tex}\input{curve.tikz.tex}\caption{Set by \TeX.}\end{figure}
\begin{table}\input{layer-scores.tex}\caption{Numbers.}\end{table}
\end{document}
]=])
execute_process(COMMAND "${PDFLATEX}" -interaction=nonstopmode -halt-on-error paper.tex WORKING_DIRECTORY "${FOLDER}/paper" RESULT_VARIABLE status OUTPUT_VARIABLE said)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the paper does not compile:\n${said}")
endif()
