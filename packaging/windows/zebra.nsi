; The installer for Windows, made on Linux by NSIS: for one user, no administrator needed.
;     makensis -DVERSION=1.2.3 -DBUNDLE=FOLDER -DICON=zebra.ico -DOUT=zebra-1.2.3-windows-setup.exe packaging/windows/zebra.nsi
Target amd64-unicode
Unicode true
SetCompressor /SOLID lzma
SetCompressorDictSize 64
!include MUI2.nsh
Name "ZEBRA ${VERSION}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\ZEBRA"
RequestExecutionLevel user
ManifestDPIAware true
!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\zebra-window.exe"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\ZEBRA"
!insertmacro MUI_PAGE_LICENSE "${BUNDLE}/LICENSE"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English
!insertmacro MUI_LANGUAGE German
!insertmacro MUI_LANGUAGE Spanish
!insertmacro MUI_LANGUAGE French
LangString Project ${LANG_ENGLISH} "ZEBRA project"
LangString Project ${LANG_GERMAN} "ZEBRA-Projekt"
LangString Project ${LANG_SPANISH} "Proyecto de ZEBRA"
LangString Project ${LANG_FRENCH} "Projet ZEBRA"
LangString ListeningTest ${LANG_ENGLISH} "ZEBRA listening test"
LangString ListeningTest ${LANG_GERMAN} "ZEBRA-Hörtest"
LangString ListeningTest ${LANG_SPANISH} "Prueba de escucha de ZEBRA"
LangString ListeningTest ${LANG_FRENCH} "Test d’écoute ZEBRA"

!macro opens ENDING KIND WORDS
  WriteRegStr HKCU "Software\Classes\${ENDING}" "" "${KIND}"
  WriteRegStr HKCU "Software\Classes\${KIND}" "" "${WORDS}"
  WriteRegStr HKCU "Software\Classes\${KIND}\DefaultIcon" "" "$INSTDIR\zebra-window.exe,0"
  WriteRegStr HKCU "Software\Classes\${KIND}\shell\open\command" "" '"$INSTDIR\zebra-window.exe" "%1"'
!macroend

; Only what was installed: a folder of the user's inside stays.
!macro removed
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\zebra.exe"
  Delete "$INSTDIR\zebra-window.exe"
  Delete "$INSTDIR\LICENSE"
!macroend

Section
  !insertmacro removed
  SetOutPath "$INSTDIR"
  File /r "${BUNDLE}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateDirectory "$SMPROGRAMS\ZEBRA"
  CreateShortcut "$SMPROGRAMS\ZEBRA\ZEBRA.lnk" "$INSTDIR\zebra-window.exe"
  CreateShortcut "$SMPROGRAMS\ZEBRA\$(ListeningTest).lnk" "$INSTDIR\zebra-window.exe" "listen"
  !insertmacro opens ".zebra" "ZEBRA.Project" "$(Project)"
  !insertmacro opens ".zebra-listening" "ZEBRA.Listening" "$(ListeningTest)"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "ZEBRA"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The ZEBRA developers"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\zebra-window.exe"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

Section Uninstall
  !insertmacro removed
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  RMDir /r "$SMPROGRAMS\ZEBRA"
  DeleteRegKey HKCU "Software\Classes\.zebra"
  DeleteRegKey HKCU "Software\Classes\ZEBRA.Project"
  DeleteRegKey HKCU "Software\Classes\.zebra-listening"
  DeleteRegKey HKCU "Software\Classes\ZEBRA.Listening"
  DeleteRegKey HKCU "${UNINSTALL}"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
