/* zebra-window.exe: starts zebra.exe beside it without a console, with the same arguments. Python's modules lie in
   zebra.exe alone: as a second program of PyInstaller's this would carry all of them again. */
#include <windows.h>

int WINAPI wWinMain(HINSTANCE self, HINSTANCE none, PWSTR arguments, int show) {
    static wchar_t program[32768], command[32768];
    DWORD length = GetModuleFileNameW(NULL, program, 32768);
    while (length && program[length - 1] != L'\\')
        length--;
    if (length + 10 > 32768 || lstrlenW(arguments) > 32000)
        return 1;
    lstrcpyW(program + length, L"zebra.exe");
    lstrcpyW(command, L"zebra.exe ");
    lstrcatW(command, arguments);
    STARTUPINFOW how = {sizeof how};
    PROCESS_INFORMATION started;
    if (!CreateProcessW(program, command, NULL, NULL, FALSE, CREATE_NO_WINDOW, NULL, NULL, &how, &started)) {
        MessageBoxW(NULL, L"zebra.exe was not found beside this program. Install ZEBRA again.", L"ZEBRA", MB_ICONERROR);
        return 1;
    }
    AllowSetForegroundWindow(started.dwProcessId);
    WaitForSingleObject(started.hProcess, INFINITE);
    DWORD status = 1;
    GetExitCodeProcess(started.hProcess, &status);
    return (int)status;
}
