# The tests of a GoogleTest program as tests of ctest: a process for each suite, not for each TEST. ctest reads this file when
# it starts, and finds the suites in the lines TEST(SUITE, NAME) of the sources: no program is run to learn what is in it, and
# no list can be older than the sources.
#
# `./test -R PATTERN` sets WARPLENS_TESTS to the pattern, since a suite's name does not say which tests are in it: where the
# pattern matches some of a suite's tests alone, these become tests of ctest by themselves.
#
# area, program, sources, folder: what the test is called after, what is run, where its tests are
# labels, environment: of each;  except: suites that are left out;  split: suites that are run in several processes, SUITE=NUMBER
cmake_policy(VERSION 3.23)
function(add_suite name filter)
  set(shards 1)
  if(ARGN)
    set(shards ${ARGN})
  endif()
  foreach(shard RANGE 1 ${shards})
    set(test ${name})
    set(cost 0)
    if(shards GREATER 1)
      set(test ${name}.${shard})
      set(cost 100)  # What takes longest begins first.
    endif()
    math(EXPR index "${shard} - 1")
    add_test(${test} ${program} "--gtest_filter=${filter}")
    set_tests_properties(${test} PROPERTIES LABELS "${labels}" COST ${cost}
      ENVIRONMENT "GTEST_BRIEF=1;GTEST_COLOR=no;GTEST_OUTPUT=xml:${outcomes}/${test}.xml;GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index};${environment}")
    if(NOT filter MATCHES "^-")  # a filter that fits nothing would pass
      set_tests_properties(${test} PROPERTIES FAIL_REGULAR_EXPRESSION " 0 tests from 0 test suites ran")
    endif()
  endforeach()
endfunction()

function(add_suites)
  set(suites "")
  foreach(source ${sources})
    get_filename_component(source ${source} ABSOLUTE BASE_DIR ${folder})
    if(NOT EXISTS ${source})  # made by the build, and no test
      continue()
    endif()
    file(STRINGS ${source} lines REGEX "^TEST(_F|_P)?\\([A-Za-z0-9_]+, *[A-Za-z0-9_]+\\)")
    foreach(line ${lines})
      string(REGEX MATCH "^TEST[_FP]*\\(([A-Za-z0-9_]+), *([A-Za-z0-9_]+)" line "${line}")
      set(suite ${CMAKE_MATCH_1})
      if(suite IN_LIST except)
        continue()
      endif()
      list(APPEND suites ${suite})
      list(APPEND tests_of_${suite} ${CMAKE_MATCH_2})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES suites)

  set(pattern "$ENV{WARPLENS_TESTS}")
  set(others "")
  foreach(suite ${suites})
    # A suite of parameters is called INSTANCE/SUITE, and its tests NAME/PARAMETER.
    string(APPEND others ":${suite}.*:*/${suite}.*")
    if(pattern AND NOT ${area}.${suite} MATCHES "${pattern}")
      foreach(test ${tests_of_${suite}})
        if(${area}.${suite}.${test} MATCHES "${pattern}")
          add_suite(${area}.${suite}.${test} "${suite}.${test}:${suite}.${test}/*:*/${suite}.${test}/*")
        endif()
      endforeach()
    else()
      set(shards 1)
      if("${split}" MATCHES "(^|;)${suite}=([0-9]+)")
        set(shards ${CMAKE_MATCH_2})
      endif()
      add_suite(${area}.${suite} "${suite}.*:*/${suite}.*" ${shards})
    endif()
  endforeach()
  # What no line of the sources shows, as a macro's tests, is run all the same. There is none today.
  foreach(suite ${except})
    string(APPEND others ":${suite}.*")
  endforeach()
  string(REGEX REPLACE "^:" "-" others "${others}")
  add_suite(${area}.others "${others}")
endfunction()
add_suites()
