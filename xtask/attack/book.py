"""What was tried, and whether it held."""

import collections


class Book:
    """Counts attempts by subject, and keeps those that got through."""

    def __init__(self):
        self.tried, self.through = collections.Counter(), []

    def note(self, subject, what, held, seen=""):
        """One attempt; `seen` is what the server answered."""
        self.tried[subject] += 1
        if not held:
            self.through.append((subject, what, seen))
            print(f"THROUGH  {subject}: {what}: {seen}", flush=True)

    def close(self):
        """Prints the sums; answers the exit code."""
        for subject, count in self.tried.items():
            wrong = sum(one[0] == subject for one in self.through)
            print(f"{subject:12} {count:5} tried, {wrong} got through")
        print(f"attack: {sum(self.tried.values())} attempts, {len(self.through)} got through")
        return 1 if self.through else 0
