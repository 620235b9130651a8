"""Who may do what: sessions that are none, other people's things, roles, other sites, extra fields."""

import json
from pathlib import Path

from network import png

WRITES = ("POST", "PUT", "DELETE")


def calls(network):
    """Every call of the published description: method, path with example ids, path as written, whether it is public."""
    description = network.call("GET", "/api/openapi.json").json()
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            if method.upper() in ("GET", *WRITES):
                filled = path.replace("{username}", "founder").replace("{tag}", "tag")
                for name in ("{id}", "{userId}"):
                    filled = filled.replace(name, "1")
                yield method.upper(), filled, path, operation.get("security") == []


def visitors(book, network, people):
    """Each call for members, with nothing and with cookies that are no session."""
    member = people["ada"]
    forged = [
        {},
        {"Cookie": "__Host-session="},
        {"Cookie": "__Host-session=" + "A" * 43},
        {"Cookie": member.cookie[:-1] + ("A" if member.cookie[-1] != "A" else "B")},
        {"Cookie": member.cookie.replace("__Host-", "")},
        {"Cookie": member.cookie.replace("__Host-", "__host-")},
        {"Authorization": "Bearer " + member.cookie.split("=")[1]},
        {"Cookie": "__Host-login=" + member.cookie.split("=")[1]},
        {"Cookie": member.cookie.replace("__Host-", "%5F%5FHost-")},
    ]
    for method, path, _, public in calls(network):
        if public or path == "/api/auth/logout":
            continue
        seen = {network.call(method, path, {} if method in WRITES else None, head).status for head in forged}
        book.note("session", f"{method} {path} with {len(forged)} kinds of no session", seen == {401}, seen)
    twice = {"Cookie": f"__Host-session=x; {member.cookie}"}
    seen = network.call("GET", "/api/auth/me", headers=twice).status
    book.note("session", "two session cookies, the first one invented", seen == 401, seen)
    # What a host beside this one sets for both: a name that a browser does not know for `__Host-`.
    other = people["eve"].cookie.replace("__Host-", "%5F%5FHost-")
    for line in (f"{other}; {member.cookie}", f"{member.cookie}; {other}", f"pref=\u00e9; {member.cookie}"):
        me = network.call("GET", "/api/auth/me", headers={"Cookie": line})
        own = me.status == 200 and me.json()["id"] == member.id
        book.note("session", f"{line.split('=')[0]} beside a session", own, me.status)


def other_sites(book, network, people):
    """Each write, as a page of another site would send it."""
    host = network.origin.removeprefix("https://")
    heads = [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": f"https://{host}.evil.example"},
        {"Origin": f"https://evil.{host}"},
        {"Origin": f"{network.origin}:8443"},
        {"Origin": "https://evil.example", "Referer": network.origin + "/"},
        {"Origin": "https://evil.example", "X-HTTP-Method-Override": "GET"},
    ]
    for method, path, _, _ in calls(network):
        if method not in WRITES:
            continue
        answers = [people["ada"](method, path, {}, head) for head in heads]
        seen = {(answer.status, (answer.json() or {}).get("code")) for answer in answers}
        book.note(
            "cross-site",
            f"{method} {path} with {len(heads)} foreign origins",
            seen == {(403, "cross_site")},
            seen,
        )
    form = {"Content-Type": "text/plain"}
    seen = people["ada"]("POST", "/api/posts", b'{"content":"form"}', form).status
    book.note("cross-site", "a form's text/plain body that is JSON", seen == 415, seen)
    for trick in ("?_method=DELETE", "?method=POST"):
        head = {"X-HTTP-Method-Override": "DELETE", "X-Method-Override": "DELETE"}
        seen = people["ada"]("GET", "/api/posts/1" + trick, headers=head).status
        book.note("cross-site", f"GET /api/posts/1{trick} as a write", seen in (404, 405), seen)


def belongings(book, network, people):
    """Things of one member, used by another who knows their ids."""
    ada, eve = people["ada"], people["eve"]
    post = ada.post("ada's own")
    repost = ada("POST", "/api/posts", {"repostOfId": people["mia"].post("to be reposted")}).json()["id"]
    session = ada("GET", "/api/auth/sessions").json()[0]["id"]
    invite = ada("POST", "/api/invites").json()["id"]
    picture = ada.upload(png(60, 40))
    upload = picture.split("/api/objects/")[1].split("?")[0]
    eve("POST", f"/api/posts/{post}/like")
    told = [one["id"] for one in ada("GET", "/api/notifications").json()]
    attempts = [
        ("DELETE", f"/api/posts/{post}", None),
        ("DELETE", f"/api/posts/{repost}", None),
        ("DELETE", f"/api/auth/sessions/{session}", None),
        ("DELETE", f"/api/invites/{invite}", None),
        ("PUT", f"/api/notifications/{told[0]}/read" if told else "/api/notifications/1/read", None),
        ("POST", f"/api/objects/{upload}/cancel", None),
        ("POST", f"/api/objects/{upload}/prepare", None),
        ("POST", "/api/posts", {"content": "stolen", "imageUrls": [picture]}),
        ("POST", "/api/posts", {"content": "stolen", "imageUrls": [picture.replace(ada.id, eve.id)]}),
        ("PUT", "/api/profile-images", {"imageURL": picture}),
        ("PUT", "/api/header-images", {"imageURL": picture}),
        ("GET", "/api/account/export/file", None),
        ("POST", "/api/account/deletion", {"username": "ada"}),
        ("POST", "/api/follows", {"followingId": eve.id}),
        ("POST", f"/api/blocks/{eve.id}", None),
    ]
    for method, path, body in attempts:
        answer = eve(method, path, body)
        book.note(
            "belongings",
            f"{method} {path} {json.dumps(body) if body else ''}"[:100],
            400 <= answer.status < 500,
            answer.status,
        )
    still = [
        ada("GET", f"/api/posts/{post}/thread").status == 200,
        ada("GET", f"/api/posts/{repost}/thread").status == 200,
        ada("GET", "/api/auth/me").status == 200,
        any(one["id"] == invite for one in ada("GET", "/api/invites").json()),
        ada("POST", "/api/posts", {"content": "mine", "imageUrls": [picture]}).status == 201,
    ]
    book.note("belongings", "all of it is still its owner's", all(still), still)
    odd_ids = (
        "0",
        "-1",
        "+1",
        "01",
        "9223372036854775807",
        "9223372036854775808",
        "1e3",
        "0x1",
        "%31%00",
        "..%2f1",
        "%EF%BC%91",
        post + "%20",
        "null",
    )
    for odd in odd_ids:
        answers = [
            eve(
                method, written.replace("{id}", odd).replace("{userId}", odd), None if method == "GET" else {}
            )
            for method, _, written, _ in calls(network)
            if "{id}" in written or "{userId}" in written
        ]
        worst = max(answer.status for answer in answers)
        done = [answer.status for answer in answers if answer.status < 300]
        book.note(
            "belongings", f"{odd} as an id in each call", worst < 500 and len(done) <= 4, (worst, len(done))
        )


def roles(book, network, people):
    """Calls of moderators and admins by who is neither, and moderators against their superiors."""
    founder, mod, ada, eve = (people[name] for name in ("founder", "mod", "ada", "eve"))
    for method, path, _, _ in calls(network):
        if path.startswith("/api/admin/"):
            seen = eve(method, path, {} if method in WRITES else None)
            code = (seen.json() or {}).get("code")
            book.note(
                "roles",
                f"{method} {path} by a member",
                (seen.status, code) == (404, "no_such_call"),
                (seen.status, code),
            )
    for what, member, method, path, body in [
        ("a moderator reads the audit log", mod, "GET", "/api/admin/audit", None),
        ("a moderator reads the waitlist", mod, "GET", "/api/admin/waitlist", None),
        (
            "a moderator makes herself admin",
            mod,
            "PUT",
            f"/api/admin/members/{mod.id}/role",
            {"role": "admin"},
        ),
        ("a moderator gives a role", mod, "PUT", f"/api/admin/members/{eve.id}/role", {"role": "moderator"}),
        (
            "a moderator suspends an admin",
            mod,
            "PUT",
            f"/api/admin/members/{founder.id}/suspension",
            {"note": "x"},
        ),
        (
            "a moderator suspends herself",
            mod,
            "PUT",
            f"/api/admin/members/{mod.id}/suspension",
            {"note": "x"},
        ),
        (
            "a moderator freezes an admin's invites",
            mod,
            "PUT",
            f"/api/admin/members/{founder.id}/invite-freeze",
            {"note": "x"},
        ),
        (
            "a moderator removes an admin's post",
            mod,
            "DELETE",
            f"/api/admin/posts/{founder.post('of the founder')}",
            None,
        ),
        (
            "the only admin demotes herself",
            founder,
            "PUT",
            f"/api/admin/members/{founder.id}/role",
            {"role": "member"},
        ),
        (
            "an admin gives a role that is none",
            founder,
            "PUT",
            f"/api/admin/members/{ada.id}/role",
            {"role": "root"},
        ),
    ]:
        answer = member(method, path, body)
        book.note("roles", what, 400 <= answer.status < 500, answer.status)
    founder("PUT", f"/api/admin/members/{mod.id}/role", {"role": "member", "note": "taken away"})
    seen = mod("GET", "/api/admin/reports").status
    book.note("roles", "a moderator goes on after the role was taken away", seen == 404, seen)


def fields(book, network, people):
    """Fields that a call does not have, in the hope that they are written all the same."""
    ada = people["ada"]
    extra = {
        "id": "1",
        "role": "admin",
        "isAdmin": True,
        "email": "x@evil.example",
        "username": "founder",
        "suspendedAt": None,
        "followerCount": 9000,
        "createdAt": "2001-01-01T00:00:00Z",
        "authorId": people["founder"].id,
        "likeCount": 9000,
        "__proto__": {"role": "admin"},
        "constructor": {"prototype": {"role": "admin"}},
    }
    before = ada("GET", "/api/auth/me").json()
    ada("PUT", "/api/users/profile", {"displayName": "Ada", "bio": "", "website": "", **extra})
    after = ada("GET", "/api/auth/me").json()
    changed = {key for key in after if after[key] != before.get(key)} - {"displayName", "bio", "website"}
    book.note("fields", "PUT /api/users/profile with a dozen more fields", not changed, changed)
    made = ada("POST", "/api/posts", {"content": "more fields", **extra}).json()
    held = (
        made["author"]["id"] == ada.id
        and made["likeCount"] == 0
        and made["id"] != "1"
        and not made["createdAt"].startswith("2001")
    )
    book.note("fields", "POST /api/posts with a dozen more fields", held, made["author"])
    for body in (
        b'{"content":"a","content":"b"}',
        b'[{"content":"a"}]',
        b'"a"',
        b"null",
        b"{" * 50_000,
        b'{"content":' + b"9" * 60_000 + b"}",
        b'{"content":"\xff"}',
        b'{"content":"\\ud800"}',
    ):
        seen = ada("POST", "/api/posts", body, {"Content-Type": "application/json"}).status
        book.note("fields", f"POST /api/posts {body[:32]!r}", seen in (400, 413, 422), seen)


def secrets(book, network, people):
    """What the log, the headers and the mails let out; run last."""
    log = network.log.read_text()
    for member in people.values():
        kept = [member.cookie.split("=")[1], member.email or "no such address"]
        found = [word for word in kept if word in log]
        book.note("log", f"{member.name}'s cookie and mail address at KITH_LOG=debug", not found, found)
    for word in ("token=", "signature=", "198.51.", "ada's own", "forged line"):
        book.note("log", f"{word!r} at KITH_LOG=debug", word not in log, "")
    broken = []
    for line in log.splitlines():
        try:
            json.loads(line)
        except ValueError:
            broken.append(line[:80])
    book.note("log", f"{len(log.splitlines())} lines are one JSON object each", not broken, broken[:3])
    defects = [line[:200] for line in log.splitlines() if "defect" in line or "a request failed" in line]
    book.note("log", "no panic and no 500 in all of it", not defects, defects[:3])
    modes = {oct(path.stat().st_mode & 0o77) for path in Path(network.outbox).parent.rglob("*")}
    book.note("files", "nothing in the data folder is anybody else's to read", modes == {"0o0"}, modes)
