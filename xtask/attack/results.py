"""Results of the attempts."""

import collections


class Results:
    """Counts attempts by subject and keeps the successful ones."""

    def __init__(self):
        self.attempts, self.successes = collections.Counter(), []

    def record(self, subject, what, held, seen=""):
        """Records an attempt; `held` is true if it failed, `seen` shows the response."""
        self.attempts[subject] += 1
        if not held:
            self.successes.append((subject, what, seen))
            print(f"THROUGH  {subject}: {what}: {seen}", flush=True)

    def close(self):
        """Prints the totals and returns the exit code."""
        for subject, count in self.attempts.items():
            wrong = sum(one[0] == subject for one in self.successes)
            print(f"{subject:12} {count:5} tried, {wrong} got through")
        print(f"attack: {sum(self.attempts.values())} attempts, {len(self.successes)} got through")
        return 1 if self.successes else 0
