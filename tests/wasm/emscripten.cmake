# What stands in for packages where Debian's emscripten (3.1.6) builds, and the flags that it needs.
add_compile_options(-msimd128 -fwasm-exceptions -include ${CMAKE_SOURCE_DIR}/sim/base/library_gaps.h)
add_link_options(-fwasm-exceptions -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=4MB -sEXIT_RUNTIME=1)

add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)  # there are none: a thread cannot be started

# Of the machine's own headers these alone are of use: the others are of another system.
find_path(NLOHMANN_JSON nlohmann/json.hpp PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
file(CREATE_LINK ${NLOHMANN_JSON}/nlohmann ${CMAKE_BINARY_DIR}/include/nlohmann SYMBOLIC)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED GLOBAL)
target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${CMAKE_BINARY_DIR}/include)
