# What `cmake --install` and CPack put where, beyond the programs: desktop entry, icons, MIME types, AppStream data, man
# pages, documents. Two packages: warplens (the app and warplens-cli) and warplens-gpu, the CUDA child, where it is built.
# The archive has both, with the libraries and fonts that a machine without them needs (carry.py): it runs where it is unpacked.
#   cmake --build --preset release && (cd build/release && cpack)     # .deb and .tar.gz
# tests/package/run does that, unpacks them and runs what is inside.
set(app_id org.warplens.Warplens)
set(desktop_folder ${CMAKE_SOURCE_DIR}/assets/desktop)

# Programs find their data beside themselves: bin/warplens -> share/warplens.
foreach(folder assets shaders)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/warplens/${folder}
          COMPONENT app PATTERN "desktop" EXCLUDE)
endforeach()

# Compressed copies are made while building, without name and time in them, so that packages come out the same.
set(compressed "")
function(warplens_compressed from name)
  set(to ${CMAKE_BINARY_DIR}/package/${name}.gz)
  add_custom_command(OUTPUT ${to} DEPENDS ${from} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/package
    COMMAND sh -c "exec gzip -9nc \"$1\" > \"$2\"" sh ${from} ${to})
  set(compressed ${compressed} ${to} PARENT_SCOPE)
endfunction()
foreach(program warplens warplens-cli warplens-gpu)
  warplens_compressed(${CMAKE_SOURCE_DIR}/docs/man/${program}.1 ${program}.1)
endforeach()
warplens_compressed(${CMAKE_SOURCE_DIR}/CHANGELOG.md changelog)
warplens_compressed(${desktop_folder}/changelog.Debian changelog.Debian)

# The icon's pixels, drawn from its SVG where librsvg's command is here; without it the SVG alone is installed.
find_program(RSVG_CONVERT rsvg-convert)
if(RSVG_CONVERT)
  foreach(side 16 24 32 48 64 128 256)
    set(to ${CMAKE_BINARY_DIR}/package/icon-${side}.png)
    add_custom_command(OUTPUT ${to} DEPENDS ${desktop_folder}/${app_id}.svg VERBATIM
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/package
      COMMAND ${RSVG_CONVERT} -w ${side} -h ${side} ${desktop_folder}/${app_id}.svg -o ${to})
    list(APPEND compressed ${to})
    install(FILES ${to} DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${side}x${side}/apps
            RENAME ${app_id}.png COMPONENT app)
  endforeach()
else()
  message(STATUS "rsvg-convert (librsvg2-bin) was not found: the icon is installed as SVG only")
endif()
add_custom_target(warplens_package_files ALL DEPENDS ${compressed})

install(FILES ${desktop_folder}/${app_id}.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT app)
install(FILES ${desktop_folder}/${app_id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT app)
install(FILES ${desktop_folder}/${app_id}.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT app)
install(FILES ${desktop_folder}/${app_id}.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT app)
install(FILES ${CMAKE_BINARY_DIR}/package/warplens.1.gz ${CMAKE_BINARY_DIR}/package/warplens-cli.1.gz
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT app)
# Where Debian's Python looks, below /usr; elsewhere a person names it in PYTHONPATH.
install(FILES ${CMAKE_SOURCE_DIR}/tools/warplens.py DESTINATION lib/python3/dist-packages COMPONENT app)
install(FILES ${CMAKE_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warplens COMPONENT app)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warplens COMPONENT app
        PATTERN "man" EXCLUDE)

set(components app)
set(packages warplens)
if(TARGET warplens-gpu)
  list(APPEND components gpu)
  list(APPEND packages warplens-gpu)
  install(FILES ${CMAKE_BINARY_DIR}/package/warplens-gpu.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT gpu)
endif()
foreach(component package IN ZIP_LISTS components packages)
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} RENAME copyright
          COMPONENT ${component})
  install(FILES ${CMAKE_BINARY_DIR}/package/changelog.gz ${CMAKE_BINARY_DIR}/package/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
          COMPONENT ${component})
endforeach()

set(font_packages fonts-inter fonts-jetbrains-mono fonts-dejavu-core fonts-wqy-microhei)
list(JOIN font_packages ", " fonts)
set(programs warplens warplens-cli)
if(TARGET warplens-gpu)
  list(APPEND programs warplens-gpu)
endif()
set(files "")
foreach(program ${programs})
  if(TARGET ${program})
    list(APPEND files "\"$<TARGET_FILE:${program}>\"")
    # As RPATH, and not RUNPATH, it holds for what the libraries load in turn, too.
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/warplens" BUILD_WITH_INSTALL_RPATH ON)
    target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
  endif()
endforeach()
list(JOIN files " " files)
install(CODE "execute_process(COMMAND python3 \"${desktop_folder}/carry.py\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" \"${fonts}\" ${files}
                              COMMAND_ERROR_IS_FATAL ANY)" COMPONENT carried EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME warplens)
set(CPACK_PACKAGE_VENDOR "The Warplens developers")
set(CPACK_PACKAGE_CONTACT "The Warplens developers <developers@warplens.invalid>")  # a maintainer field needs an address
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "GPU memory-access visualizer for teaching")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
set(CPACK_COMPONENTS_ALL ${components} carried)
# Read for each generator: a package a component, and one archive of all of them.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/package/generator.cmake @ONLY CONTENT [[
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_COMPONENTS_ALL @components@)
  set(CPACK_COMPONENTS_GROUPING IGNORE)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY OFF)
else()
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
endif()
]])
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_BINARY_DIR}/package/generator.cmake)
set(CPACK_COMPONENT_APP_DESCRIPTION
"Warplens runs CUDA kernels in a simulator, one warp at a time, maps every
access to 32-byte sectors, 128-byte lines and 32 shared-memory banks, and
shows the prediction beside measured or recorded times. No GPU is needed.
.
This package has the desktop program and warplens-cli.")
set(CPACK_COMPONENT_GPU_DESCRIPTION
"warplens-gpu runs and times CUDA kernels. It is started by warplens and
warplens-cli, here or on another machine over ssh or Slurm. It opens the NVIDIA
driver, NVRTC, NVML, CUPTI and cuBLAS when it needs them, and says what is
missing.")
set(CPACK_DEBIAN_APP_PACKAGE_NAME warplens)
set(CPACK_DEBIAN_GPU_PACKAGE_NAME warplens-gpu)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_APP_PACKAGE_SECTION education)
set(CPACK_DEBIAN_GPU_PACKAGE_SECTION education)
# Opened by name when the app starts, so dpkg-shlibdeps cannot see them.
set(CPACK_DEBIAN_APP_PACKAGE_DEPENDS "libgl1, libegl1")
set(CPACK_DEBIAN_APP_PACKAGE_RECOMMENDS
    "${fonts}, libgl1-mesa-dri")
set(CPACK_DEBIAN_APP_PACKAGE_SUGGESTS "warplens-gpu, openssh-client")
set(CPACK_DEBIAN_GPU_PACKAGE_SUGGESTS "libcuda1")
include(CPack)
