"""Makes a little content on a fresh server, and writes down what is there.

Values that exist reach the rows behind the calls; values that are only possible do not. Each list
becomes a dictionary beside the settings, from which half of the parameters are drawn.
"""

import json
import os
import pathlib
import re
import struct
import time
import zlib

import requests

URL = os.environ["KITH_FUZZ_URL"]
FOLDER = pathlib.Path(os.environ["KITH_FUZZ_FOLDER"])


def call(who, method, path, body=None):
    """One call that must work."""
    answer = who.request(method, URL + path, json=body, timeout=15)
    assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
    return answer.json() if answer.content else None


def verify(who, address):
    call(who, "GET", "/api/auth/verify?" + address.split("?", 1)[1])


def join(name, code):
    """A member, by an invite and the mail that lies in the outbox."""
    friend = requests.Session()
    email = f"{name}@example.org"
    call(friend, "POST", "/api/auth/request-magic-link", {"email": email, "inviteCode": code})
    verify(friend, mailed(email))
    call(friend, "PUT", "/api/users/username", {"username": name})
    return friend


def mailed(email):
    for _ in range(300):
        for mail in (FOLDER / "data" / "outbox").glob("*.eml"):
            text = mail.read_text().replace("=\n", "").replace("=3D", "=")
            found = re.search(r"http\S+/auth/verify\?token=[\w-]+", text)
            if email in text and found:
                return found.group()
        time.sleep(0.05)
    raise SystemExit(f"no mail to {email} came")


def write(who, **body):
    return call(who, "POST", "/api/posts", body)["id"]


def place(who, limit):
    """A cursor of the For You feed: from the link to the next page."""
    answer = who.get(URL + f"/api/posts/for-you?limit={limit}", timeout=15)
    return re.search(r"cursor=([\w-]+)", answer.headers["link"]).group(1)


def picture(shade):
    """A PNG of one grey pixel."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes([0, shade]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def upload(who, shade):
    """A sent file's address."""
    address = call(who, "POST", "/api/objects/upload")["uploadURL"]
    answer = requests.put(address, data=picture(shade), timeout=15)
    assert answer.ok, answer.text
    return address


def name_of(address):
    return address.split("?")[0].rsplit("/", 1)[1]


def put_down(name, values):
    """A dictionary as the fuzzer reads them: a quoted text a line."""
    lines = (json.dumps(str(value)) for value in values)
    (FOLDER / f"{name}.dict").write_text("\n".join(lines) + "\n")


def main():
    founder = requests.Session()
    addresses = os.environ["KITH_FUZZ_ADDRESSES"].split()
    verify(founder, addresses.pop(0))
    ada = join("ada", os.environ["KITH_FUZZ_CODE"])
    me = call(founder, "GET", "/api/auth/me")
    friend = call(ada, "GET", "/api/auth/me")

    # Whom everything is done to that would leave nothing for the other calls.
    bob = join("bob", call(founder, "POST", "/api/invites")["code"])
    others = [join(name, call(ada, "POST", "/api/invites")["code"]) for name in ("cleo", "dora")]
    others = [call(who, "GET", "/api/auth/me")["id"] for who in others]
    victim = call(bob, "GET", "/api/auth/me")["id"]
    for number in range(20):
        post = write(bob, content=f"Cheap watches, number {number}")
        call(ada, "POST", "/api/reports", {"postId": post, "reason": "spam"})
    # Members in no dictionary, so that nobody suspends or blocks the authors of these posts.
    reported, asker = (
        join(name, call(bob, "POST", "/api/invites")["code"]) for name in ("eve", "finn")
    )
    doomed = [write(reported, content=f"Cheap tickets, number {n}") for n in range(60)]
    cases = call(founder, "GET", "/api/admin/reports?limit=50")
    for number in range(20):
        call(bob, "POST", "/api/waitlist", {"email": f"waits{number}@example.org"})
    queue = call(founder, "GET", "/api/admin/waitlist?limit=50")
    assert len(cases) == 20 and len(queue) == 20, (cases, queue)

    posts = [write(founder, content=f"Hello, humans, number {n}. @ada") for n in range(5)]
    posts += [write(ada, content=f"Hello to you, number {n}. @founder") for n in range(5)]
    replies = [write(ada, content="So it is.", replyToId=post) for post in posts[:3]]
    poll = {"pollOptions": ["Tea", "Coffee"], "pollDurationMinutes": 10_080}
    polls = [write(asker, content=f"Which, number {n}?", **poll) for n in range(3)]
    reposts = [write(ada, repostOfId=posts[0]), write(founder, repostOfId=posts[6])]
    mine = [write(founder, content=f"Soon gone, number {n}. #AI #webdev") for n in range(60)]
    invite = call(founder, "POST", "/api/invites")
    call(ada, "POST", f"/api/posts/{posts[1]}/like")
    call(founder, "POST", f"/api/posts/{posts[7]}/like")
    uploads = [upload(founder, shade) for shade in range(8)]
    write(founder, content="A grey pixel", imageUrls=uploads[:1], imageAlts=["Grey"])
    cancelled = [upload(founder, 100 + n) for n in range(8)]
    notifications = call(founder, "GET", "/api/notifications")
    assert len(notifications) > 5, notifications

    put_down("images", uploads)
    put_down("uploads", [name_of(address) for address in uploads])
    put_down("cancelled", [name_of(address) for address in cancelled])
    # One that took no file yet; the first that fits is its own.
    waiting = call(founder, "POST", "/api/objects/upload")["uploadURL"]
    put_down("waiting", [name_of(waiting)])
    put_down("signatures", [waiting.split("signature=", 1)[1]])
    put_down("posts", posts + replies + reposts)
    put_down("polls", polls)
    put_down("options", ["Tea", "Coffee"])
    put_down("members", [friend["id"], *others])
    put_down("victims", [victim])
    put_down("doomed", doomed)
    put_down("cases", [case["id"] for case in cases])
    put_down("queue", [entry["id"] for entry in queue])
    put_down("usernames", ["ada", "founder", "ADA"])
    put_down("notifications", [row["id"] for row in notifications])
    put_down("tokens", [address.split("token=", 1)[1] for address in addresses])
    # Not the founder's, whose invites the fuzzer finds and revokes.
    put_down("codes", [call(ada, "POST", "/api/invites")["code"]])
    put_down("invites", [invite["id"]])
    put_down("mine", mine)
    put_down("tags", ["ai", "#AI", "WebDev", "nothing"])
    put_down("places", [place(founder, limit) for limit in range(1, 6)])
    put_down("websites", ["example.org", "https://example.org/a?b#c", "http://localhost.example:8080"])
    (FOLDER / "me").write_text(me["id"])
    (FOLDER / "session").write_text(founder.cookies["session"])


main()
