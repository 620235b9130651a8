"""What is typed: scripts, SQL, look-alikes, addresses, headers, and words meant for the log."""

import json

from network import png

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


def stored(book, network, people):
    """Scripts in every field that others see: they come back as the same JSON text, never as a page."""
    ada = people["ada"]
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
        kept.append(ada("POST", "/api/reports", {"userId": people["eve"].id, "reason": "spam", "note": text}))
        fine = all(
            one.status in (200, 201, 400, 422, 429)
            and one.header("content-type").startswith("application/json")
            and one.header("x-content-type-options") == "nosniff"
            for one in kept
            if one.body
        )
        book.note(
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
    shells = {network.call("GET", page).body for page in pages[:2]}
    for page in pages:
        answer = network.call("GET", page)
        safe = answer.body in shells or answer.status in (400, 404)
        policy = answer.header("content-security-policy")
        held = (
            safe
            and "script-src 'self'" in policy
            and "unsafe" not in policy
            and b"alert(1)" not in answer.body
        )
        book.note("scripts", f"GET {page} is the same page as all others", held, answer.status)
    for website in WEBSITES:
        answer = ada("PUT", "/api/users/profile", {"displayName": "Ada", "bio": "", "website": website})
        kept = ada("GET", "/api/users/ada").json().get("website") or ""
        held = (
            answer.status in (400, 422)
            or kept.startswith(("https://", "http://"))
            and "@" not in kept
            and "\n" not in kept
        )
        book.note("scripts", f"website {website!r}", held, (answer.status, kept))


def queries(book, network, people):
    """Search, tags and names with what SQL, LIKE and full-text search know."""
    from urllib.parse import quote

    eve = people["eve"]
    everybody = len(people)
    for text in QUERIES:
        answers = [
            eve("GET", "/api/users/search?q=" + quote(text, safe="")),
            eve("GET", f"/api/hashtags/{quote(text, safe='')}/posts"),
            eve("GET", f"/api/users/{quote(text, safe='')}"),
            people["founder"]("GET", "/api/admin/members?query=" + quote(text, safe="")),
        ]
        worst = max(answer.status for answer in answers)
        found = answers[0].json() if answers[0].status == 200 else []
        wild = text.strip("%_*\\ ") == "" and len(found) >= everybody
        book.note(
            "sql",
            f"{text[:40]!r} as search, tag, name and members",
            worst < 500 and not wild,
            [answer.status for answer in answers],
        )
    for cursor in ("'", "A" * 500, "AAAA", "../..", "0", "-1", "%00", "eyJpZCI6MX0"):
        answers = {
            eve("GET", f"{path}?cursor={cursor}").status
            for path in (
                "/api/posts/feed",
                "/api/posts/for-you",
                "/api/notifications",
                "/api/users/ada/posts",
                "/api/invites",
            )
        }
        book.note("sql", f"{cursor[:20]!r} as a cursor", max(answers) < 500, answers)


def names(book, network, people):
    """Usernames that look like others, or hide something."""
    eve = people["eve"]
    for name in NAMES:
        answer = eve("PUT", "/api/users/username", {"username": name})
        now = eve("GET", "/api/auth/me").json()["username"]
        held = (
            now == "eve"
            or now.isascii()
            and now == now.lower()
            and now not in ("ada", "founder", "admin", "api", "kith")
        )
        book.note("names", f"{name[:20]!r} as a username", held, (answer.status, now))
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
        answer = eve("PUT", "/api/users/profile", {"displayName": display, "bio": "", "website": ""})
        kept = eve("GET", "/api/users/eve").json()["displayName"]
        bad = [mark for mark in "\u202e\n\x07\u2066" if mark in kept]
        seen = kept.translate(
            dict.fromkeys([*range(0x200B, 0x2010), 0x2800, 0x3164, 0xFFA0, *range(0xE0000, 0xE1000)])
        ).strip()
        book.note(
            "names", f"{display[:12]!r} as a display name", not bad and seen != "", (answer.status, kept[:12])
        )


def addresses(book, network, people):
    """Links that lead elsewhere, hosts that are not ours, and what caches could keep."""
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
        answers = []
        for path in ("/", "/api/auth/me", "/auth/verify?token=x"):
            if "Host" in head:
                raw = network.raw(
                    f"GET {path} HTTP/1.1\r\nHost: {evil}\r\nConnection: close\r\n\r\n".encode()
                )
                answers.append(raw)
            else:
                answer = network.call("GET", path, headers=head)
                answers.append(str(answer.headers).encode() + answer.body)
        book.note(
            "addresses",
            f"{head} is not reflected",
            not any(evil.encode() in answer for answer in answers),
            "",
        )
    mail = f"host{len(people)}@example.org"
    people["founder"]("POST", "/api/invites")
    _, code, _ = network.operator("invite", "create")
    network.call(
        "POST",
        "/api/auth/request-magic-link",
        {"email": mail, "inviteCode": code},
        {"X-Forwarded-Host": evil, "Forwarded": f"host={evil}"},
    )
    text = network.mails_to(mail)[-1]
    book.note(
        "addresses",
        "a mail's links begin with the public address",
        evil not in text and network.origin in text,
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
        answer = network.call("GET", path)
        to = answer.header("location")
        book.note(
            "addresses",
            f"GET {path} leads nowhere else",
            evil not in to and "\n" not in to,
            (answer.status, to),
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
        answer = people["ada"]("GET", path)
        private = b"ada@example.org" in answer.body
        held = not private or "no-store" in answer.header("cache-control")
        book.note(
            "caches", f"GET {path} with a session", held, (answer.status, answer.header("cache-control"))
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
        answer = network.call("POST", "/api/auth/request-login-link", {"email": mail})
        book.note("addresses", f"a link for {mail[:30]!r}", answer.status in (200, 400, 422), answer.status)


def whether_known(book, network, people):
    """Whether answers tell members, names and codes from inventions."""

    def plain(answer):
        return answer.status, answer.body, sorted(key.lower() for key, _ in answer.headers)

    asked = {
        repr(plain(network.call("POST", "/api/auth/request-login-link", {"email": mail})))
        for mail in ("ada@example.org", "nobody@example.org", "ADA@EXAMPLE.ORG")
    }
    book.note("knowing", "a login link for a member and for nobody", len(asked) == 1, asked)
    _, code, _ = network.operator("invite", "create")
    network.join_with("knower", code)
    codes = (code, "AAAAAAAAAAAA", "22222222", "x", code.lower() + "x")
    asked = {
        (answer.status, answer.body)
        for answer in (
            network.call(
                "POST", "/api/auth/request-magic-link", {"email": "ada@example.org", "inviteCode": one}
            )
            for one in codes[:2]
        )
    }
    book.note("knowing", "a used code and one that never was", len(asked) == 1, asked)
    for email in ("ada@example.org", "nobody@example.org"):
        seen = network.call(
            "POST", "/api/auth/request-magic-link", {"email": email, "inviteCode": "AAAAAAAAAAAA"}
        )
        asked.add((seen.status, seen.body))
    book.note("knowing", "a wrong code with a member's address and with nobody's", len(asked) == 1, asked)
    listed = {
        repr(plain(network.call("POST", "/api/waitlist", {"email": mail})))
        for mail in ("ada@example.org", "new@example.org", "new@example.org")
    }
    book.note(
        "knowing", "the waitlist, for a member, somebody new, and the same again", len(listed) == 1, listed
    )
    there = network.call("GET", "/api/users/ada"), network.call("GET", "/api/users/nobody")
    book.note("knowing", "profiles without a session", there[0].status == there[1].status == 401, "")
    pages = network.call("GET", "/ada"), network.call("GET", "/nobody")
    book.note("knowing", "pages of profiles without a session", plain(pages[0]) == plain(pages[1]), "")
    forged = json.dumps({"email": "x\nforged line"}).encode()
    network.call(
        "POST", "/api/auth/request-login-link%0aforged%20line", forged, {"User-Agent": "a forged line"}
    )
