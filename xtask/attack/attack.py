"""Attacks a running server from outside; started by `cargo xtask attack`."""

import argparse
import sys
import time
from pathlib import Path

import access
import races
import visibility
import inputs
import protocol
from results import Results
from client import Client

STEPS = [
    access.visitors,
    access.other_sites,
    access.belongings,
    access.fields,
    inputs.stored,
    inputs.queries,
    inputs.names,
    inputs.addresses,
    inputs.whether_known,
    protocol.smuggling,
    protocol.paths,
    protocol.sizes,
    protocol.uploads,
    races.races,
    races.rate_limits,
    visibility.muted,
    visibility.blocked,
    visibility.suspended,
    access.roles,
    access.secrets,
]


def main():
    """Creates members, runs all steps and prints the attempts that succeeded."""
    parser = argparse.ArgumentParser()
    for name in ("port", "origin", "program", "data", "log", "printed"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--database-url", default="")
    parser.add_argument("--only", help="one step, such as smuggling")
    args = parser.parse_args()
    store = ["--data", args.data, "--database-url", args.database_url]
    client = Client(
        int(args.port), args.origin, args.program, store, Path(args.data) / "outbox", args.log
    )
    members = {"founder": client.founder(Path(args.printed).read_text())}
    for key, name in (("ada", "ada"), ("eve", "eve"), ("mia", "mia"), ("mod", "rita")):
        members[key] = client.join(name)
    promoted = members["founder"](
        "PUT", f"/api/admin/members/{members['mod'].id}/role", {"role": "moderator", "note": "attack"}
    )
    assert promoted.status < 300, promoted.text()
    results = Results()
    for step in STEPS:
        if args.only in (None, step.__name__):
            began = time.monotonic()
            step(results, client, members)
            print(f"         {step.__name__}: {time.monotonic() - began:.1f} s", flush=True)
    return results.close()


if __name__ == "__main__":
    sys.exit(main())
