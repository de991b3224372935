"""Work beside the window: jobs, preparing, drawing, memory."""
