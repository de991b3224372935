; The installer for Windows, made by Inno Setup 6 from dist\bundle\zebra: for one user, no administrator needed.
;     ISCC /DVersion=1.2.3 packaging\windows\zebra.iss
; Compiled by packaging/installer_test.sh under Wine; the installer that it makes has never been run.
[Setup]
AppId={{6D0E0B52-6E5C-4B8C-9E0E-2E3B8C7B7A55}
AppName=ZEBRA
AppVersion={#Version}
AppPublisher=The ZEBRA developers
DefaultDirName={autopf}\ZEBRA
DefaultGroupName=ZEBRA
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=zebra-{#Version}-windows-setup
SetupIconFile=..\..\build\bundle\zebra.ico
UninstallDisplayIcon={app}\zebra-window.exe
ChangesAssociations=yes
Compression=lzma2/max
SolidCompression=yes

[Files]
Source: "..\..\dist\bundle\zebra\*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion

[Icons]
Name: "{group}\ZEBRA"; Filename: "{app}\zebra-window.exe"
Name: "{autodesktop}\ZEBRA"; Filename: "{app}\zebra-window.exe"; Tasks: desktopicon
Name: "{group}\ZEBRA Listen"; Filename: "{app}\zebra-window.exe"; Parameters: "listen"

[Tasks]
Name: desktopicon; Description: "An icon on the desktop"; Flags: unchecked

[Registry]
Root: HKA; Subkey: "Software\Classes\.zebra"; ValueType: string; ValueData: "ZEBRA.Project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\ZEBRA.Project"; ValueType: string; ValueData: "ZEBRA project"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\ZEBRA.Project\DefaultIcon"; ValueType: string; ValueData: "{app}\zebra-window.exe,0"
Root: HKA; Subkey: "Software\Classes\ZEBRA.Project\shell\open\command"; ValueType: string; ValueData: """{app}\zebra-window.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\.zebra-listening"; ValueType: string; ValueData: "ZEBRA.Listening"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\ZEBRA.Listening"; ValueType: string; ValueData: "ZEBRA listening test"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\ZEBRA.Listening\DefaultIcon"; ValueType: string; ValueData: "{app}\zebra-window.exe,0"
Root: HKA; Subkey: "Software\Classes\ZEBRA.Listening\shell\open\command"; ValueType: string; ValueData: """{app}\zebra-window.exe"" ""%1"""

[Run]
Filename: "{app}\zebra-window.exe"; Description: "Start ZEBRA"; Flags: nowait postinstall skipifsilent
