"""Access control: invalid sessions, objects of other members, roles, cross-site requests, extra fields."""

import json
from pathlib import Path

from client import png

WRITES = ("POST", "PUT", "DELETE")


def operations(client):
    """Operations of the OpenAPI document: method, path with example ids, path template, whether it is public."""
    description = client.request("GET", "/api/openapi.json").json()
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            if method.upper() in ("GET", *WRITES):
                filled = path.replace("{username}", "founder").replace("{tag}", "tag")
                for name in ("{id}", "{userId}"):
                    filled = filled.replace(name, "1")
                yield method.upper(), filled, path, operation.get("security") == []


def visitors(results, client, members):
    """Each operation for members, without a session and with invalid ones."""
    member = members["ada"]
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
    for method, path, _, public in operations(client):
        if public or path == "/api/auth/logout":
            continue
        seen = {client.request(method, path, {} if method in WRITES else None, head).status for head in forged}
        results.record("session", f"{method} {path} with {len(forged)} invalid sessions", seen == {401}, seen)
    twice = {"Cookie": f"__Host-session=x; {member.cookie}"}
    seen = client.request("GET", "/api/auth/me", headers=twice).status
    results.record("session", "two session cookies, the first one forged", seen == 401, seen)
    # A sibling host can set this encoded name, which browsers do not treat as `__Host-`.
    other = members["eve"].cookie.replace("__Host-", "%5F%5FHost-")
    for line in (f"{other}; {member.cookie}", f"{member.cookie}; {other}", f"pref=\u00e9; {member.cookie}"):
        me = client.request("GET", "/api/auth/me", headers={"Cookie": line})
        own = me.status == 200 and me.json()["id"] == member.id
        results.record("session", f"{line.split('=')[0]} beside a session", own, me.status)


def other_sites(results, client, members):
    """Each write, sent as by a page of another site."""
    host = client.origin.removeprefix("https://")
    heads = [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": f"https://{host}.evil.example"},
        {"Origin": f"https://evil.{host}"},
        {"Origin": f"{client.origin}:8443"},
        {"Origin": "https://evil.example", "Referer": client.origin + "/"},
        {"Origin": "https://evil.example", "X-HTTP-Method-Override": "GET"},
    ]
    for method, path, _, _ in operations(client):
        if method not in WRITES:
            continue
        responses = [members["ada"](method, path, {}, head) for head in heads]
        seen = {(response.status, (response.json() or {}).get("code")) for response in responses}
        results.record(
            "cross-site",
            f"{method} {path} with {len(heads)} foreign origins",
            seen == {(403, "cross_site")},
            seen,
        )
    form = {"Content-Type": "text/plain"}
    seen = members["ada"]("POST", "/api/posts", b'{"content":"form"}', form).status
    results.record("cross-site", "a form's text/plain body that is JSON", seen == 415, seen)
    for trick in ("?_method=DELETE", "?method=POST"):
        head = {"X-HTTP-Method-Override": "DELETE", "X-Method-Override": "DELETE"}
        seen = members["ada"]("GET", "/api/posts/1" + trick, headers=head).status
        results.record("cross-site", f"GET /api/posts/1{trick} as a write", seen in (404, 405), seen)


def belongings(results, client, members):
    """Objects of one member, used by another member who knows their ids."""
    ada, eve = members["ada"], members["eve"]
    post = ada.post("ada's own")
    repost = ada("POST", "/api/posts", {"repostOfId": members["mia"].post("to be reposted")}).json()["id"]
    session = ada("GET", "/api/auth/sessions").json()[0]["id"]
    invite = ada("POST", "/api/invites").json()["id"]
    picture = ada.upload(png(60, 40))
    upload = picture.split("/api/objects/")[1].split("?")[0]
    eve("POST", f"/api/posts/{post}/like")
    notified = [one["id"] for one in ada("GET", "/api/notifications").json()]
    attempts = [
        ("DELETE", f"/api/posts/{post}", None),
        ("DELETE", f"/api/posts/{repost}", None),
        ("DELETE", f"/api/auth/sessions/{session}", None),
        ("DELETE", f"/api/invites/{invite}", None),
        ("PUT", f"/api/notifications/{notified[0]}/read" if notified else "/api/notifications/1/read", None),
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
        response = eve(method, path, body)
        results.record(
            "belongings",
            f"{method} {path} {json.dumps(body) if body else ''}"[:100],
            400 <= response.status < 500,
            response.status,
        )
    still = [
        ada("GET", f"/api/posts/{post}/thread").status == 200,
        ada("GET", f"/api/posts/{repost}/thread").status == 200,
        ada("GET", "/api/auth/me").status == 200,
        any(one["id"] == invite for one in ada("GET", "/api/invites").json()),
        ada("POST", "/api/posts", {"content": "mine", "imageUrls": [picture]}).status == 201,
    ]
    results.record("belongings", "all objects still belong to their owner", all(still), still)
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
        responses = [
            eve(
                method, written.replace("{id}", odd).replace("{userId}", odd), None if method == "GET" else {}
            )
            for method, _, written, _ in operations(client)
            if "{id}" in written or "{userId}" in written
        ]
        worst = max(response.status for response in responses)
        done = [response.status for response in responses if response.status < 300]
        results.record(
            "belongings", f"{odd} as an id in each operation", worst < 500 and len(done) <= 4, (worst, len(done))
        )


def roles(results, client, members):
    """Operations of moderators and admins by members, and of moderators against admins."""
    founder, mod, ada, eve = (members[name] for name in ("founder", "mod", "ada", "eve"))
    for method, path, _, _ in operations(client):
        if path.startswith("/api/admin/"):
            seen = eve(method, path, {} if method in WRITES else None)
            code = (seen.json() or {}).get("code")
            results.record(
                "roles",
                f"{method} {path} by a member",
                (seen.status, code) == (404, "no_such_call"),
                (seen.status, code),
            )
    for what, member, method, path, body in [
        ("a moderator reads the audit log", mod, "GET", "/api/admin/audit", None),
        ("a moderator reads the waitlist", mod, "GET", "/api/admin/waitlist", None),
        (
            "a moderator makes herself an admin",
            mod,
            "PUT",
            f"/api/admin/members/{mod.id}/role",
            {"role": "admin"},
        ),
        ("a moderator assigns a role", mod, "PUT", f"/api/admin/members/{eve.id}/role", {"role": "moderator"}),
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
            "an admin assigns an unknown role",
            founder,
            "PUT",
            f"/api/admin/members/{ada.id}/role",
            {"role": "root"},
        ),
    ]:
        response = member(method, path, body)
        results.record("roles", what, 400 <= response.status < 500, response.status)
    founder("PUT", f"/api/admin/members/{mod.id}/role", {"role": "member", "note": "taken away"})
    seen = mod("GET", "/api/admin/reports").status
    results.record("roles", "a moderator acts after losing the role", seen == 404, seen)


def fields(results, client, members):
    """Fields that the operation does not declare (mass assignment)."""
    ada = members["ada"]
    extra = {
        "id": "1",
        "role": "admin",
        "isAdmin": True,
        "email": "x@evil.example",
        "username": "founder",
        "suspendedAt": None,
        "followerCount": 9000,
        "createdAt": "2001-01-01T00:00:00Z",
        "authorId": members["founder"].id,
        "likeCount": 9000,
        "__proto__": {"role": "admin"},
        "constructor": {"prototype": {"role": "admin"}},
    }
    before = ada("GET", "/api/auth/me").json()
    ada("PUT", "/api/users/profile", {"displayName": "Ada", "bio": "", "website": "", **extra})
    after = ada("GET", "/api/auth/me").json()
    changed = {key for key in after if after[key] != before.get(key)} - {"displayName", "bio", "website"}
    results.record("fields", "PUT /api/users/profile with a dozen more fields", not changed, changed)
    made = ada("POST", "/api/posts", {"content": "more fields", **extra}).json()
    held = (
        made["author"]["id"] == ada.id
        and made["likeCount"] == 0
        and made["id"] != "1"
        and not made["createdAt"].startswith("2001")
    )
    results.record("fields", "POST /api/posts with a dozen more fields", held, made["author"])
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
        results.record("fields", f"POST /api/posts {body[:32]!r}", seen in (400, 413, 422), seen)


def secrets(results, client, members):
    """Secrets in logs and file modes; must run last."""
    log = client.log.read_text()
    for member in members.values():
        kept = [member.cookie.split("=")[1], member.email or "no such email"]
        found = [word for word in kept if word in log]
        results.record("log", f"{member.name}'s cookie and email at KITH_LOG=debug", not found, found)
    for word in ("token=", "signature=", "198.51.", "ada's own", "forged line"):
        results.record("log", f"{word!r} at KITH_LOG=debug", word not in log, "")
    broken = []
    for line in log.splitlines():
        try:
            json.loads(line)
        except ValueError:
            broken.append(line[:80])
    results.record("log", f"{len(log.splitlines())} lines are one JSON object each", not broken, broken[:3])
    defects = [line[:200] for line in log.splitlines() if "defect" in line or "a request failed" in line]
    results.record("log", "no panic and no 500 in all of it", not defects, defects[:3])
    modes = {oct(path.stat().st_mode & 0o77) for path in Path(client.outbox).parent.rglob("*")}
    results.record("files", "no file in the data folder is readable by other accounts", modes == {"0o0"}, modes)
