# What stands in for packages where Debian's emscripten (3.1.6) builds, and the flags that it needs. Of the
# machine's own headers only those of header libraries are of use: the others are of another system.
add_compile_options(-msimd128 -fwasm-exceptions "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${CMAKE_SOURCE_DIR}/sim/base/library_gaps.h>")
add_link_options(-fwasm-exceptions -sALLOW_MEMORY_GROWTH=1)

add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)  # there are none: a thread cannot be started

# warplens_header_library(TARGET FOLDER HEADER): FOLDER of the machine's headers, and no other.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
function(warplens_header_library target folder header)
  find_path(found_${folder} ${folder}/${header} PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${found_${folder}}/${folder} ${CMAKE_BINARY_DIR}/include/${folder} SYMBOLIC)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${CMAKE_BINARY_DIR}/include)
endfunction()
warplens_header_library(nlohmann_json::nlohmann_json nlohmann json.hpp)
if(NOT WARPLENS_APP)
  return()
endif()
warplens_header_library(CLI11::CLI11 CLI CLI.hpp)
warplens_header_library(stb stb stb_truetype.h)
include_directories(${CMAKE_BINARY_DIR}/include)  # stb's are included without a target

# Libraries from Debian's sources, which app/platform/web/sources.sh unpacks: WARPLENS_WEB_SOURCES.
set(WARPLENS_WEB_SOURCES ${CMAKE_SOURCE_DIR}/build/web-sources CACHE PATH "Where Debian's sources are unpacked")
set(IMGUI_SOURCE ${WARPLENS_WEB_SOURCES}/imgui)
function(warplens_source_library target folder)
  add_library(${target} STATIC EXCLUDE_FROM_ALL)
  foreach(source ${ARGN})
    target_sources(${target} PRIVATE ${WARPLENS_WEB_SOURCES}/${folder}/${source})
  endforeach()
  target_include_directories(${target} SYSTEM PUBLIC ${WARPLENS_WEB_SOURCES}/${folder})
endfunction()
warplens_source_library(zlib zlib adler32.c compress.c crc32.c deflate.c gzclose.c gzlib.c gzread.c gzwrite.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)
target_compile_definitions(zlib PUBLIC Z_HAVE_UNISTD_H)
add_library(ZLIB::ZLIB ALIAS zlib)
warplens_source_library(png libpng png.c pngerror.c pngget.c pngmem.c pngpread.c pngread.c pngrio.c pngrtran.c pngrutil.c
                        pngset.c pngtrans.c pngwio.c pngwrite.c pngwtran.c pngwutil.c)
file(COPY_FILE ${WARPLENS_WEB_SOURCES}/libpng/scripts/pnglibconf.h.prebuilt ${CMAKE_BINARY_DIR}/include/pnglibconf.h)
target_link_libraries(png PUBLIC zlib)
add_library(PNG::PNG ALIAS png)
warplens_source_library(gif giflib egif_lib.c gif_err.c gif_hash.c gifalloc.c openbsd-reallocarray.c)
add_library(GIF::GIF ALIAS gif)
warplens_source_library(md libmd src/sha2.c)
target_include_directories(md SYSTEM PUBLIC ${WARPLENS_WEB_SOURCES}/libmd/include)
file(WRITE ${CMAKE_BINARY_DIR}/include/config.h "#define HAVE_SYS_TYPES_H 1\n")
foreach(library zlib png gif md)
  target_compile_options(${library} PRIVATE -w)
  set_target_properties(${library} PROPERTIES UNITY_BUILD OFF)
endforeach()
