"""What a report needs of files, gathered before it is made."""
