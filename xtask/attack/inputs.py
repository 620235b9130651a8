"""Malicious input: scripts, SQL, lookalikes, hosts, headers, and log injection."""

import json

from client import png

SCRIPTS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg/onload=alert(1)>',
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "{{constructor.constructor('alert(1)')()}}",
    "</title><script>alert(1)</script>",
    "\u202egnp.exe",
    "${7*7}",
    "<!--",
    "]]>",
    "&lt;script&gt;",
    "\\u003cscript\\u003e",
    "#<script>",
    "@<script>",
    'https://x/"onmouseover=alert(1)',
]
QUERIES = [
    "'",
    '"',
    "' or 1=1 --",
    "'; drop table members; --",
    "%",
    "_",
    "%%%",
    "a%",
    "\\",
    "\\%",
    "*",
    "a*",
    "NEAR(a b)",
    "a OR b",
    "{a}:b",
    "^a",
    "\0",
    "\x1b",
    "a\u0000b",
    "(((",
    '"unbalanced',
    "col:ada",
    "-ada",
    "🦊" * 60,
    "a" * 5_000,
]
WEBSITES = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "\tjavascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "//evil.example",
    "https://user:pass@evil.example",
    "http://",
    "https://evil.example\r\nSet-Cookie: a=b",
    "blob:https://x",
    "ftp://x",
    "https://a b",
]
NAMES = [
    "аda",
    "ada\u200b",
    "\u200bada",
    "ada\u00ad",
    "ａｄａ",
    "ada.",
    "ADA",
    "Ada",
    "ada ",
    "../ada",
    "ada/posts",
    "ada%00",
    "api",
    "a",
    "ad\u0301a",
    "founder\u2060",
    "ﬀounder",
    "admin",
    "kith",
    "null\0",
    "-",
    "𝐚𝐝𝐚",
    "@ada",
    "a" * 100,
]


def stored(results, client, members):
    """Scripts in every visible field: responses return them as JSON text, never as a page."""
    ada = members["ada"]
    for text in SCRIPTS:
        kept = []
        kept.append(ada("PUT", "/api/users/profile", {"displayName": text[:50], "bio": text, "website": ""}))
        kept.append(
            ada(
                "POST",
                "/api/posts",
                {"content": text, "pollOptions": [text[:50], "b"], "pollDurationMinutes": 5},
            )
        )
        kept.append(
            ada(
                "POST",
                "/api/posts",
                {"content": "alt", "imageUrls": [ada.upload(png(8, 8))], "imageAlts": [text]},
            )
        )
        kept.append(ada("POST", "/api/reports", {"userId": members["eve"].id, "reason": "spam", "note": text}))
        fine = all(
            one.status in (200, 201, 400, 422, 429)
            and one.header("content-type").startswith("application/json")
            and one.header("x-content-type-options") == "nosniff"
            for one in kept
            if one.body
        )
        results.record(
            "scripts",
            f"{text!r} as name, bio, post, poll, description and report",
            fine,
            [one.status for one in kept],
        )
    pages = [
        "/",
        "/ada",
        "/%3Cimg%20src=x%20onerror=alert(1)%3E",
        "/search?q=%3Cscript%3Ealert(1)%3C/script%3E",
        "/auth/verify?token=%22%3E%3Cscript%3E",
        "/tags/%3Cscript%3E",
    ]
    shells = {client.request("GET", page).body for page in pages[:2]}
    for page in pages:
        response = client.request("GET", page)
        safe = response.body in shells or response.status in (400, 404)
        policy = response.header("content-security-policy")
        held = (
            safe
            and "script-src 'self'" in policy
            and "unsafe" not in policy
            and b"alert(1)" not in response.body
        )
        results.record("scripts", f"GET {page} is the same page as all others", held, response.status)
    for website in WEBSITES:
        response = ada("PUT", "/api/users/profile", {"displayName": "Ada", "bio": "", "website": website})
        kept = ada("GET", "/api/users/ada").json().get("website") or ""
        held = (
            response.status in (400, 422)
            or kept.startswith(("https://", "http://"))
            and "@" not in kept
            and "\n" not in kept
        )
        results.record("scripts", f"website {website!r}", held, (response.status, kept))


def queries(results, client, members):
    """SQL, LIKE and full-text syntax in searches, tags and names."""
    from urllib.parse import quote

    eve = members["eve"]
    everybody = len(members)
    for text in QUERIES:
        responses = [
            eve("GET", "/api/users/search?q=" + quote(text, safe="")),
            eve("GET", f"/api/hashtags/{quote(text, safe='')}/posts"),
            eve("GET", f"/api/users/{quote(text, safe='')}"),
            members["founder"]("GET", "/api/admin/members?query=" + quote(text, safe="")),
        ]
        worst = max(response.status for response in responses)
        found = responses[0].json() if responses[0].status == 200 else []
        wild = text.strip("%_*\\ ") == "" and len(found) >= everybody
        results.record(
            "sql",
            f"{text[:40]!r} as search, tag, name and members",
            worst < 500 and not wild,
            [response.status for response in responses],
        )
    for cursor in ("'", "A" * 500, "AAAA", "../..", "0", "-1", "%00", "eyJpZCI6MX0"):
        responses = {
            eve("GET", f"{path}?cursor={cursor}").status
            for path in (
                "/api/posts/feed",
                "/api/posts/for-you",
                "/api/notifications",
                "/api/users/ada/posts",
                "/api/invites",
            )
        }
        results.record("sql", f"{cursor[:20]!r} as a cursor", max(responses) < 500, responses)


def names(results, client, members):
    """Lookalike and invisible characters in names."""
    eve = members["eve"]
    for name in NAMES:
        response = eve("PUT", "/api/users/username", {"username": name})
        now = eve("GET", "/api/auth/me").json()["username"]
        held = (
            now == "eve"
            or now.isascii()
            and now == now.lower()
            and now not in ("ada", "founder", "admin", "api", "kith")
        )
        results.record("names", f"{name[:20]!r} as a username", held, (response.status, now))
    for display in (
        "\u202eada",
        "a\u200b\u200b\u200b",
        "\u200b",
        "\u2800",
        "\uffa0",
        "\U000e0041\U000e007f",
        "Z\u0351\u036b" * 30,
        "\ufdfd" * 50,
        "a\nb",
        "a\x07b",
    ):
        response = eve("PUT", "/api/users/profile", {"displayName": display, "bio": "", "website": ""})
        kept = eve("GET", "/api/users/eve").json()["displayName"]
        bad = [mark for mark in "\u202e\n\x07\u2066" if mark in kept]
        seen = kept.translate(
            dict.fromkeys([*range(0x200B, 0x2010), 0x2800, 0x3164, 0xFFA0, *range(0xE0000, 0xE1000)])
        ).strip()
        results.record(
            "names", f"{display[:12]!r} as a display name", not bad and seen != "", (response.status, kept[:12])
        )


def addresses(results, client, members):
    """Open redirects, forged hosts, cache deception and malformed email addresses."""
    evil = "evil.example"
    for head in (
        {"Host": evil},
        {"X-Forwarded-Host": evil},
        {"Forwarded": f"host={evil}"},
        {"X-Original-URL": "/api/auth/me"},
        {"X-Rewrite-URL": "/"},
        {"X-Forwarded-Proto": "http"},
        {"X-Forwarded-Prefix": f"//{evil}"},
    ):
        head = dict(head)
        responses = []
        for path in ("/", "/api/auth/me", "/auth/verify?token=x"):
            if "Host" in head:
                raw = client.raw(
                    f"GET {path} HTTP/1.1\r\nHost: {evil}\r\nConnection: close\r\n\r\n".encode()
                )
                responses.append(raw)
            else:
                response = client.request("GET", path, headers=head)
                responses.append(str(response.headers).encode() + response.body)
        results.record(
            "addresses",
            f"{head} is not reflected",
            not any(evil.encode() in response for response in responses),
            "",
        )
    mail = f"host{len(members)}@example.org"
    members["founder"]("POST", "/api/invites")
    _, code, _ = client.operator("invite", "create")
    client.request(
        "POST",
        "/api/auth/request-magic-link",
        {"email": mail, "inviteCode": code},
        {"X-Forwarded-Host": evil, "Forwarded": f"host={evil}"},
    )
    text = client.wait_for_emails(mail)[-1]
    results.record(
        "addresses",
        "links in emails begin with the public URL",
        evil not in text and client.origin in text,
        "",
    )
    for path in (
        f"//{evil}",
        f"//{evil}/..",
        f"/\\{evil}",
        f"/%5c{evil}",
        f"/?next=//{evil}",
        f"/login?return=https://{evil}",
        f"/api/login?next=//{evil}",
        f"/%0d%0aLocation:%20//{evil}",
        f"/.{evil}",
        "/%2f%2f" + evil,
    ):
        response = client.request("GET", path)
        to = response.header("location")
        results.record(
            "addresses",
            f"GET {path} does not redirect to another host",
            evil not in to and "\n" not in to,
            (response.status, to),
        )
    for path in (
        "/api/auth/me/x.css",
        "/api/auth/me%2fx.css",
        "/api/auth/me;x.css",
        "/api/auth/me.css",
        "/api/account%3fx.css",
        "/api/account/../account",
        "//api/account",
        "/API/account",
        "/api//account",
    ):
        response = members["ada"]("GET", path)
        private = b"ada@example.org" in response.body
        held = not private or "no-store" in response.header("cache-control")
        results.record(
            "caches", f"GET {path} with a session", held, (response.status, response.header("cache-control"))
        )
    for mail in (
        "a@b@c.example",
        "a@example.org\r\nBcc: x@evil.example",
        "a@example.org,b@evil.example",
        "<a@example.org>",
        "a@example.org\0",
        "аda@example.org",
        '"a b"@example.org',
        "a@[127.0.0.1]",
        "a" * 300 + "@example.org",
        "ada@example.org.",
        "ADA@example.org",
    ):
        response = client.request("POST", "/api/auth/request-login-link", {"email": mail})
        results.record("addresses", f"a link for {mail[:30]!r}", response.status in (200, 400, 422), response.status)


def whether_known(results, client, members):
    """Responses must not reveal whether an email, username or code exists."""

    def plain(response):
        return response.status, response.body, sorted(key.lower() for key, _ in response.headers)

    asked = {
        repr(plain(client.request("POST", "/api/auth/request-login-link", {"email": mail})))
        for mail in ("ada@example.org", "stranger@example.org", "ADA@EXAMPLE.ORG")
    }
    results.record("knowing", "a login link for a member and for an unknown email", len(asked) == 1, asked)
    _, code, _ = client.operator("invite", "create")
    client.join_with("knower", code)
    codes = (code, "AAAAAAAAAAAA", "22222222", "x", code.lower() + "x")
    asked = {
        (response.status, response.body)
        for response in (
            client.request(
                "POST", "/api/auth/request-magic-link", {"email": "ada@example.org", "inviteCode": one}
            )
            for one in codes[:2]
        )
    }
    results.record("knowing", "a used code and an unknown one", len(asked) == 1, asked)
    for email in ("ada@example.org", "stranger@example.org"):
        seen = client.request(
            "POST", "/api/auth/request-magic-link", {"email": email, "inviteCode": "AAAAAAAAAAAA"}
        )
        asked.add((seen.status, seen.body))
    results.record("knowing", "a wrong code with a known and an unknown email", len(asked) == 1, asked)
    listed = {
        repr(plain(client.request("POST", "/api/waitlist", {"email": mail})))
        for mail in ("ada@example.org", "new@example.org", "new@example.org")
    }
    results.record(
        "knowing", "the waitlist, for a member, a new email, and the same email again", len(listed) == 1, listed
    )
    there = client.request("GET", "/api/users/ada"), client.request("GET", "/api/users/stranger")
    results.record("knowing", "profiles without a session", there[0].status == there[1].status == 401, "")
    pages = client.request("GET", "/ada"), client.request("GET", "/stranger")
    results.record("knowing", "pages of profiles without a session", plain(pages[0]) == plain(pages[1]), "")
    forged = json.dumps({"email": "x\nforged line"}).encode()
    client.request(
        "POST", "/api/auth/request-login-link%0aforged%20line", forged, {"User-Agent": "a forged line"}
    )
