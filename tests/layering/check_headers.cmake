# Fails, naming the header and what the compiler said, if a header of a layer does not compile alone.
# Each header is included twice, so that a forgotten #pragma once shows too. A header that is the first include of
# the .cpp beside it has been compiled alone by the build; of it only the #pragma once is asked for.
# usage: cmake -DROOT=<repository> -DCOMPILER=<c++> "-DFLAGS=<list>" "-DINCLUDE_DIRS=<list>" [-DJOBS=2]
#              -P check_headers.cmake
# Headers are looked for when the check runs: a new one needs no new configuration.
cmake_minimum_required(VERSION 3.25)

if(NOT IS_DIRECTORY "${ROOT}")
  message(FATAL_ERROR "ROOT = ${ROOT}: must be a directory")
endif()
if(NOT JOBS)
  set(JOBS 2)
endif()
set(patterns "")
foreach(layer lib analysis verification paper_figures cli)
  list(APPEND patterns "${ROOT}/${layer}/*.hpp" "${ROOT}/${layer}/*.hh" "${ROOT}/${layer}/*.h")
endforeach()
file(GLOB_RECURSE headers LIST_DIRECTORIES false RELATIVE "${ROOT}" ${patterns})
list(LENGTH headers count)
if(count EQUAL 0)
  message(FATAL_ERROR "no headers under ROOT = ${ROOT}")
endif()

set(includes "-I${ROOT}")
foreach(dir IN LISTS INCLUDE_DIRS)
  if(dir)
    list(APPEND includes "-I${dir}")
  endif()
endforeach()

set(others "")
foreach(header IN LISTS headers)
  string(REGEX REPLACE "\\.[a-z]+$" ".cpp" twin "${header}")
  if(EXISTS "${ROOT}/${twin}")
    file(STRINGS "${ROOT}/${twin}" includes_of_twin REGEX "^#include" LIMIT_COUNT 1)
    file(STRINGS "${ROOT}/${header}" once REGEX "^#pragma once" LIMIT_COUNT 1)
    if(includes_of_twin STREQUAL "#include \"${header}\"" AND NOT once STREQUAL "")
      continue()
    endif()
  endif()
  list(APPEND others "${header}")
endforeach()

list(TRANSFORM others APPEND "\n")
list(JOIN others "" lines)
set(list_file "${CMAKE_CURRENT_BINARY_DIR}/headers_compile_alone.txt")
file(WRITE "${list_file}" "${lines}")
set(compile_one [[
header=$1
shift
said=$(printf '#include "%s"\n#include "%s"\n' "$header" "$header" | "$@" 2>&1) && exit 0
printf '%s does not compile alone:\n%s\n\n' "$header" "$said" | head -n 20
exit 1
]])
execute_process(
  COMMAND xargs -r -d "\\n" -P ${JOBS} -I{} sh -c "${compile_one}" sh {}
          "${COMPILER}" ${FLAGS} ${includes} -w -fsyntax-only -x c++ -
  INPUT_FILE "${list_file}"
  OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
if(NOT status STREQUAL "0")
  message("${output}")
  message(FATAL_ERROR "headers that do not compile alone")
endif()
message(STATUS "${count} headers compile alone")
