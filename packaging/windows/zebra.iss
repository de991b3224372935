; The installer for Windows, made by Inno Setup 6 from dist\bundle\zebra: for one user, no administrator needed.
;     ISCC /DVersion=1.2.3 packaging\windows\zebra.iss
; Saved as UTF-8 with its mark at the beginning, without which Inno Setup takes it for another encoding.
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

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"
Name: "es"; MessagesFile: "compiler:Languages\Spanish.isl"
Name: "fr"; MessagesFile: "compiler:Languages\French.isl"

[CustomMessages]
en.OnTheDesktop=An icon on the desktop
de.OnTheDesktop=Ein Symbol auf dem Desktop
es.OnTheDesktop=Un icono en el escritorio
fr.OnTheDesktop=Une icône sur le bureau
en.Project=ZEBRA project
de.Project=ZEBRA-Projekt
es.Project=Proyecto de ZEBRA
fr.Project=Projet ZEBRA
en.ListeningTest=ZEBRA listening test
de.ListeningTest=ZEBRA-Hörtest
es.ListeningTest=Prueba de escucha de ZEBRA
fr.ListeningTest=Test d’écoute ZEBRA
en.Start=Start ZEBRA
de.Start=ZEBRA starten
es.Start=Iniciar ZEBRA
fr.Start=Lancer ZEBRA

[Files]
Source: "..\..\dist\bundle\zebra\*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion

[Icons]
Name: "{group}\ZEBRA"; Filename: "{app}\zebra-window.exe"
Name: "{autodesktop}\ZEBRA"; Filename: "{app}\zebra-window.exe"; Tasks: desktopicon
Name: "{group}\{cm:ListeningTest}"; Filename: "{app}\zebra-window.exe"; Parameters: "listen"

[Tasks]
Name: desktopicon; Description: "{cm:OnTheDesktop}"; Flags: unchecked

[Registry]
Root: HKA; Subkey: "Software\Classes\.zebra"; ValueType: string; ValueData: "ZEBRA.Project"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\ZEBRA.Project"; ValueType: string; ValueData: "{cm:Project}"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\ZEBRA.Project\DefaultIcon"; ValueType: string; ValueData: "{app}\zebra-window.exe,0"
Root: HKA; Subkey: "Software\Classes\ZEBRA.Project\shell\open\command"; ValueType: string; ValueData: """{app}\zebra-window.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\.zebra-listening"; ValueType: string; ValueData: "ZEBRA.Listening"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\ZEBRA.Listening"; ValueType: string; ValueData: "{cm:ListeningTest}"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\ZEBRA.Listening\DefaultIcon"; ValueType: string; ValueData: "{app}\zebra-window.exe,0"
Root: HKA; Subkey: "Software\Classes\ZEBRA.Listening\shell\open\command"; ValueType: string; ValueData: """{app}\zebra-window.exe"" ""%1"""

[Run]
Filename: "{app}\zebra-window.exe"; Description: "{cm:Start}"; Flags: nowait postinstall skipifsilent
