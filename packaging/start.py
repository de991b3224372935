"""Where the frozen program begins."""

import sys

if sys.argv[1:2] == ["--be-apart"]:  # one of the programs that may die of what they read
    from zebra_core.runtime.apart import be_apart

    be_apart(sys.argv[2:])
else:
    import without_opengl

    without_opengl.install()
    from zebra_gui.program import main

    main()
