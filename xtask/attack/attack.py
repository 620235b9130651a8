"""An attacker's hour against a running Kith: `cargo xtask attack` starts one and calls this."""

import argparse
import sys
import time
from pathlib import Path

import doors
import races
import sight
import texts
import wire
from book import Book
from network import Network

STEPS = [
    doors.visitors,
    doors.other_sites,
    doors.belongings,
    doors.fields,
    texts.stored,
    texts.queries,
    texts.names,
    texts.addresses,
    texts.whether_known,
    wire.smuggling,
    wire.paths,
    wire.sizes,
    wire.uploads,
    races.races,
    races.allowances,
    sight.muted,
    sight.blocked,
    sight.suspended,
    doors.roles,
    doors.secrets,
]


def main():
    """Makes a handful of members, tries everything, and says what got through."""
    words = argparse.ArgumentParser()
    for name in ("port", "origin", "program", "data", "log", "printed"):
        words.add_argument(f"--{name}", required=True)
    words.add_argument("--database-url", default="")
    words.add_argument("--only", help="one step, such as smuggling")
    given = words.parse_args()
    store = ["--data", given.data, "--database-url", given.database_url]
    network = Network(
        int(given.port), given.origin, given.program, store, Path(given.data) / "outbox", given.log
    )
    people = {"founder": network.founder(Path(given.printed).read_text())}
    for key, name in (("ada", "ada"), ("eve", "eve"), ("mia", "mia"), ("mod", "rita")):
        people[key] = network.join(name)
    given_role = people["founder"](
        "PUT", f"/api/admin/members/{people['mod'].id}/role", {"role": "moderator", "note": "attack"}
    )
    assert given_role.status < 300, given_role.text()
    book = Book()
    for step in STEPS:
        if given.only in (None, step.__name__):
            began = time.monotonic()
            step(book, network, people)
            print(f"         {step.__name__}: {time.monotonic() - began:.1f} s", flush=True)
    return book.close()


if __name__ == "__main__":
    sys.exit(main())
