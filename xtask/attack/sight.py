"""Around blocks, mutes and suspensions: every listing, count and address that could still show somebody."""

MARK = "zebrafinch"


def views(network, people, posts):
    """Everything that a member can read about others, as addresses."""
    yield from ("/api/posts/feed?limit=50", "/api/posts/for-you?limit=50", "/api/notifications")
    yield from (f"/api/hashtags/{MARK}tag/posts", f"/api/users/search?q={MARK}", "/api/users/suggested")
    for name in ("ada", "eve", "mia"):
        yield from (
            f"/api/users/{name}{rest}"
            for rest in (
                "",
                "/posts",
                "/followers",
                "/following",
                "/posts?filter=replies",
                "/posts?filter=media",
                "/posts?filter=likes",
            )
        )
    yield from (f"/api/posts/{post}/thread" for post in posts)
    yield from ("/api/blocks", "/api/mutes")


def shown(member, network, people, posts):
    """The addresses whose answer to this member holds the mark."""
    return {path for path in views(network, people, posts) if MARK in member("GET", path).text()}


def blocked(book, network, people):
    """Ada blocks Eve: what Eve still sees of her, and what Eve can still do to her."""
    ada, eve, mia = people["ada"], people["eve"], people["mia"]
    ada(
        "PUT",
        "/api/users/profile",
        {"displayName": f"Ada {MARK}", "bio": MARK, "website": f"https://{MARK}.example"},
    )
    for one, other in ((eve, ada), (ada, eve), (mia, ada), (ada, mia), (eve, mia)):
        one("POST", "/api/follows", {"followingId": other.id})
    own = ada.post(f"{MARK} #{MARK}tag @eve")
    poll = ada.post(f"{MARK} poll", pollOptions=["one", "two"], pollDurationMinutes=60)
    talk = mia.post("what do you think?")
    reply = ada.post(f"{MARK} reply", replyToId=talk)
    again = mia("POST", "/api/posts", {"repostOfId": own}).json()["id"]
    under = mia.post("below hers", replyToId=own)
    mine = eve.post("of eve")
    ada("POST", f"/api/posts/{mine}/like")
    ada.post(f"{MARK} to eve", replyToId=mine)
    posts = [own, poll, talk, reply, again, under, mine]
    before = shown(eve, network, people, posts)
    book.note("block", "before it, Eve sees Ada in many places", len(before) > 10, before)
    ada("POST", f"/api/blocks/{eve.id}")
    for path in views(network, people, posts):
        answer = eve("GET", path)
        held = MARK not in answer.text() or path == "/api/users/ada"
        book.note("block", f"GET {path}", held, answer.text()[:200])
    deeds = [
        ("POST", f"/api/posts/{own}/like", None),
        ("POST", f"/api/posts/{again}/like", None),
        ("POST", f"/api/posts/{poll}/vote", {"option": "one"}),
        ("POST", "/api/posts", {"content": "answer", "replyToId": own}),
        ("POST", "/api/posts", {"content": "answer", "replyToId": reply}),
        ("POST", "/api/posts", {"repostOfId": own}),
        ("POST", "/api/posts", {"repostOfId": again}),
        ("POST", "/api/follows", {"followingId": ada.id}),
    ]
    for method, path, body in deeds:
        answer = eve(method, path, body)
        book.note("block", f"{method} {path} {body or ''}", 400 <= answer.status < 500, answer.status)
    told = len(ada("GET", "/api/notifications").json())
    eve.post("hello @ada, hear me")
    eve.post("hello @ada under mia's", replyToId=talk)
    book.note("block", "Eve mentions Ada twice", len(ada("GET", "/api/notifications").json()) == told, "")
    seen = [path for path in views(network, people, posts) if "of eve" in ada("GET", path).text()]
    book.note("block", "Ada does not see Eve either", not seen, seen)
    ada("DELETE", f"/api/blocks/{eve.id}")
    seen = eve("GET", f"/api/follows/{ada.id}/status").text()
    book.note(
        "block",
        "taken back, the follow is still gone",
        '"isFollowing":true' not in seen.replace(" ", ""),
        seen,
    )


def suspended(book, network, people):
    """A suspended member is nowhere, and their session is none."""
    founder, ada, eve = people["founder"], people["ada"], people["eve"]
    own = [one["id"] for one in ada("GET", "/api/users/ada/posts?limit=50").json()]
    sign = network.call
    founder("PUT", f"/api/admin/members/{ada.id}/suspension", {"note": "attack"})
    for path in views(network, people, own):
        answer = eve("GET", path)
        book.note("suspended", f"GET {path}", MARK not in answer.text(), answer.text()[:200])
    seen = sign("GET", "/api/auth/me", headers={"Cookie": ada.cookie}).status
    book.note("suspended", "her session", seen == 401, seen)
    for method, path, body in (
        ("POST", f"/api/posts/{own[0]}/like", None),
        ("POST", "/api/posts", {"content": "x", "replyToId": own[0]}),
    ):
        seen = eve(method, path, body).status
        book.note("suspended", f"{method} {path}", 400 <= seen < 500, seen)
    founder("DELETE", f"/api/admin/members/{ada.id}/suspension")


def muted(book, network, people):
    """A mute shows in the muter's lists only, and what nobody asked for names the muted one nowhere."""
    ada, eve, mia = people["ada"], people["eve"], people["mia"]
    word = "quietwren"
    ada("PUT", "/api/users/profile", {"displayName": f"Ada {word}", "bio": word})
    mia("DELETE", f"/api/follows/{eve.id}")
    ada("POST", "/api/follows", {"followingId": eve.id})
    mia("POST", "/api/follows", {"followingId": ada.id})
    eve.post("near mia by ada alone")
    reasons = ("/api/users/suggested", "/api/posts/for-you")
    why = f"Followed by Ada {word}"
    named = [path for path in reasons if why in mia("GET", path).text()]
    book.note("mute", "before it, Mia reads through whom Eve is near", len(named) == len(reasons), named)
    mia("POST", f"/api/mutes/{ada.id}")
    for path in reasons:
        answer = mia("GET", path)
        book.note("mute", f"reasons of GET {path}", why not in answer.text(), answer.text()[:200])
    post = ada.post(f"{word} #{word} @mia")
    for path in (
        "/api/posts/feed",
        "/api/posts/for-you",
        f"/api/hashtags/{word}/posts",
        "/api/notifications",
    ):
        answer = mia("GET", path)
        book.note("mute", f"GET {path}", word not in answer.text(), answer.text()[:200])
    mine = mia.post("a post of mia's")
    seen = ada("POST", f"/api/posts/{mine}/like").status, ada("GET", "/api/users/mia").json()
    book.note(
        "mute",
        "Ada cannot tell",
        seen[0] < 300 and "mute" not in str({k: v for k, v in seen[1].items() if v}).lower(),
        seen,
    )
    mia("DELETE", f"/api/mutes/{ada.id}")
    book.note(
        "mute", "taken back, she is heard again", word in mia("GET", "/api/users/ada/posts").text(), post
    )
