"""Creates content on a fresh server and writes dictionaries with its ids.

Existing ids reach more code than random ones. Each list becomes a dictionary beside the settings,
from which schemathesis draws about half of the parameters.
"""

import json
import os
import pathlib
import re
import struct
import subprocess
import time
import zlib

import requests

URL = os.environ["KITH_FUZZ_URL"]
FOLDER = pathlib.Path(os.environ["KITH_FUZZ_FOLDER"])


def request(session, method, path, body=None):
    """Sends a request that must succeed."""
    response = session.request(method, URL + path, json=body, timeout=15)
    assert response.ok, f"{method} {path}: {response.status_code} {response.text}"
    return response.json() if response.content else None


def verify(session, url):
    request(session, "GET", "/api/auth/verify?" + url.split("?", 1)[1])


def join(name, code):
    """Creates a member with an invite code and the email in the outbox."""
    member = requests.Session()
    email = f"{name}@example.org"
    request(member, "POST", "/api/auth/request-magic-link", {"email": email, "inviteCode": code})
    verify(member, wait_for_link(email))
    request(member, "PUT", "/api/users/username", {"username": name})
    return member


def find_in_mails(email, pattern):
    """Matches of a pattern in the mails to an address, one for each mail with one."""
    for mail in (FOLDER / "data" / "outbox").glob("*.eml"):
        text = mail.read_text().replace("=\n", "").replace("=3D", "=")
        found = re.search(pattern, text)
        if email in text and found:
            yield found.group(1)


def wait_for_mails(email, pattern, count):
    for _ in range(300):
        found = list(find_in_mails(email, pattern))
        if len(found) >= count:
            return found
        time.sleep(0.05)
    raise SystemExit(f"{count} mails to {email} did not come")


def wait_for_link(email):
    return wait_for_mails(email, r"(http\S+/auth/verify\?token=[\w-]+)", 1)[0]


def create_post(session, **body):
    return request(session, "POST", "/api/posts", body)["id"]


def remove_post(session, post):
    request(session, "PUT", f"/api/admin/posts/{post}/removal", {"rule": "No advertising"})


def remove_as_operator(post):
    """Removes a post of the founder, which the founder can't."""
    subprocess.run([os.environ["KITH_FUZZ_BINARY"], "post", "remove", post], check=True, stdout=subprocess.DEVNULL)


def for_you_cursor(session, limit):
    """A cursor of the For You feed, from the link to the next page."""
    response = session.get(URL + f"/api/posts/for-you?limit={limit}", timeout=15)
    return re.search(r"cursor=([\w-]+)", response.headers["link"]).group(1)


def png(shade):
    """A PNG with one grey pixel."""

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes([0, shade]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def upload(session, shade):
    """Uploads an image and returns its URL."""
    url = request(session, "POST", "/api/objects/upload")["uploadURL"]
    response = requests.put(url, data=png(shade), timeout=15)
    assert response.ok, response.text
    return url


def upload_id(url):
    return url.split("?")[0].rsplit("/", 1)[1]


def write_dictionary(name, values):
    """Writes a dictionary for schemathesis: one JSON string per line."""
    lines = (json.dumps(str(value)) for value in values)
    (FOLDER / f"{name}.dict").write_text("\n".join(lines) + "\n")


def main():
    founder = requests.Session()
    links = os.environ["KITH_FUZZ_ADDRESSES"].split()
    verify(founder, links.pop(0))
    ada = join("ada", os.environ["KITH_FUZZ_CODE"])
    me = request(founder, "GET", "/api/auth/me")
    friend = request(ada, "GET", "/api/auth/me")

    # Target of destructive operations, which would affect the other requests.
    bob = join("bob", request(founder, "POST", "/api/invites")["code"])
    others = [join(name, request(ada, "POST", "/api/invites")["code"]) for name in ("cleo", "dora")]
    others = [request(session, "GET", "/api/auth/me")["id"] for session in others]
    victim = request(bob, "GET", "/api/auth/me")["id"]
    for number in range(20):
        post = create_post(bob, content=f"Cheap watches, number {number}")
        request(ada, "POST", "/api/reports", {"postId": post, "reason": "spam"})
    # Members outside the dictionaries, so that the authors of these posts are not suspended or blocked.
    reported, asker = (
        join(name, request(bob, "POST", "/api/invites")["code"]) for name in ("eve", "finn")
    )
    doomed = [create_post(reported, content=f"Cheap tickets, number {n}") for n in range(60)]
    # Removed posts: some can be restored, some have an objection, and some a link in a mail with which to object.
    removed = [create_post(reported, content=f"Cheap pills, number {n}") for n in range(40)]
    for post in removed:
        remove_post(founder, post)
    notices = [notice["id"] for notice in request(reported, "GET", "/api/moderation-notices")]
    for notice in notices[:20]:
        request(reported, "POST", f"/api/moderation-notices/{notice}/objection", {"text": "They are not."})
    notice_tokens = wait_for_mails("eve@example.org", r"/notice#([\w-]+)", 20)
    for number in range(20):
        remove_as_operator(create_post(founder, content=f"My own advertisement, number {number}"))
    own_notices = [notice["id"] for notice in request(founder, "GET", "/api/moderation-notices")]
    cases = request(founder, "GET", "/api/admin/reports?limit=50")
    for number in range(20):
        request(bob, "POST", "/api/waitlist", {"email": f"waits{number}@example.org"})
    queue = request(founder, "GET", "/api/admin/waitlist?limit=50")
    assert len(cases) == 20 and len(queue) == 20, (cases, queue)

    posts = [create_post(founder, content=f"Hello, humans, number {n}. @ada") for n in range(5)]
    posts += [create_post(ada, content=f"Hello to you, number {n}. @founder") for n in range(5)]
    replies = [create_post(ada, content="So it is.", replyToId=post) for post in posts[:3]]
    poll = {"pollOptions": ["Tea", "Coffee"], "pollDurationMinutes": 10_080}
    polls = [create_post(asker, content=f"Which, number {n}?", **poll) for n in range(3)]
    reposts = [create_post(ada, repostOfId=posts[0]), create_post(founder, repostOfId=posts[6])]
    mine = [create_post(founder, content=f"Soon gone, number {n}. #AI #webdev") for n in range(60)]
    invite = request(founder, "POST", "/api/invites")
    request(ada, "POST", f"/api/posts/{posts[1]}/like")
    request(founder, "POST", f"/api/posts/{posts[7]}/like")
    uploads = [upload(founder, shade) for shade in range(8)]
    create_post(founder, content="A grey pixel", imageUrls=uploads[:1], imageAlts=["Grey"])
    cancelled = [upload(founder, 100 + n) for n in range(8)]
    notifications = request(founder, "GET", "/api/notifications")
    assert len(notifications) > 5, notifications

    write_dictionary("images", uploads)
    write_dictionary("uploads", [upload_id(url) for url in uploads])
    write_dictionary("cancelled", [upload_id(url) for url in cancelled])
    # An upload URL without a file; the first matching upload uses it.
    waiting = request(founder, "POST", "/api/objects/upload")["uploadURL"]
    write_dictionary("waiting", [upload_id(waiting)])
    write_dictionary("signatures", [waiting.split("signature=", 1)[1]])
    write_dictionary("posts", posts + replies + reposts)
    write_dictionary("polls", polls)
    write_dictionary("options", ["Tea", "Coffee"])
    write_dictionary("members", [friend["id"], *others])
    write_dictionary("victims", [victim])
    write_dictionary("doomed", doomed)
    write_dictionary("removed", removed)
    write_dictionary("objections", notices[:20])
    write_dictionary("notices", own_notices)
    write_dictionary("noticetokens", notice_tokens)
    write_dictionary("cases", [case["id"] for case in cases])
    write_dictionary("queue", [entry["id"] for entry in queue])
    write_dictionary("usernames", ["ada", "founder", "ADA"])
    write_dictionary("notifications", [row["id"] for row in notifications])
    write_dictionary("tokens", [url.split("token=", 1)[1] for url in links])
    # Not a code of the founder, whose invites the fuzzer revokes.
    write_dictionary("codes", [request(ada, "POST", "/api/invites")["code"]])
    write_dictionary("invites", [invite["id"]])
    write_dictionary("mine", mine)
    write_dictionary("tags", ["ai", "#AI", "WebDev", "nothing"])
    write_dictionary("places", [for_you_cursor(founder, limit) for limit in range(1, 6)])
    write_dictionary("websites", ["example.org", "https://example.org/a?b#c", "http://localhost.example:8080"])
    (FOLDER / "me").write_text(me["id"])
    (FOLDER / "session").write_text(founder.cookies["session"])


main()
