"""What speech is still good for once it is protected: word errors, and what listeners say."""
