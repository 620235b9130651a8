"""Visibility after blocks, mutes and suspensions in every list, count and page."""

MARKER = "zebrafinch"


def views(client, members, posts):
    """Paths of everything that a member can read about others."""
    yield from ("/api/posts/feed?limit=50", "/api/posts/for-you?limit=50", "/api/notifications")
    yield from (f"/api/hashtags/{MARKER}tag/posts", f"/api/users/search?q={MARKER}", "/api/users/suggested")
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


def shown(member, client, members, posts):
    """Paths whose response to this member contains the marker."""
    return {path for path in views(client, members, posts) if MARKER in member("GET", path).text()}


def blocked(results, client, members):
    """Ada blocks Eve: Eve must not see her or interact with her."""
    ada, eve, mia = members["ada"], members["eve"], members["mia"]
    ada(
        "PUT",
        "/api/users/profile",
        {"displayName": f"Ada {MARKER}", "bio": MARKER, "website": f"https://{MARKER}.example"},
    )
    for one, other in ((eve, ada), (ada, eve), (mia, ada), (ada, mia), (eve, mia)):
        one("POST", "/api/follows", {"followingId": other.id})
    own = ada.post(f"{MARKER} #{MARKER}tag @eve")
    poll = ada.post(f"{MARKER} poll", pollOptions=["one", "two"], pollDurationMinutes=60)
    talk = mia.post("what do you think?")
    reply = ada.post(f"{MARKER} reply", replyToId=talk)
    again = mia("POST", "/api/posts", {"repostOfId": own}).json()["id"]
    under = mia.post("below hers", replyToId=own)
    mine = eve.post("of eve")
    ada("POST", f"/api/posts/{mine}/like")
    ada.post(f"{MARKER} to eve", replyToId=mine)
    posts = [own, poll, talk, reply, again, under, mine]
    before = shown(eve, client, members, posts)
    results.record("block", "before it, Eve sees Ada on many pages", len(before) > 10, before)
    ada("POST", f"/api/blocks/{eve.id}")
    for path in views(client, members, posts):
        response = eve("GET", path)
        held = MARKER not in response.text() or path == "/api/users/ada"
        results.record("block", f"GET {path}", held, response.text()[:200])
    attempts = [
        ("POST", f"/api/posts/{own}/like", None),
        ("POST", f"/api/posts/{again}/like", None),
        ("POST", f"/api/posts/{poll}/vote", {"option": "one"}),
        ("POST", "/api/posts", {"content": "response", "replyToId": own}),
        ("POST", "/api/posts", {"content": "response", "replyToId": reply}),
        ("POST", "/api/posts", {"repostOfId": own}),
        ("POST", "/api/posts", {"repostOfId": again}),
        ("POST", "/api/follows", {"followingId": ada.id}),
    ]
    for method, path, body in attempts:
        response = eve(method, path, body)
        results.record("block", f"{method} {path} {body or ''}", 400 <= response.status < 500, response.status)
    notified = len(ada("GET", "/api/notifications").json())
    eve.post("hello @ada, listen")
    eve.post("hello @ada under mia's", replyToId=talk)
    results.record("block", "Eve mentions Ada twice", len(ada("GET", "/api/notifications").json()) == notified, "")
    seen = [path for path in views(client, members, posts) if "of eve" in ada("GET", path).text()]
    results.record("block", "Ada does not see Eve either", not seen, seen)
    ada("DELETE", f"/api/blocks/{eve.id}")
    seen = eve("GET", f"/api/follows/{ada.id}/status").text()
    results.record(
        "block",
        "after the unblock, the follow is still gone",
        '"isFollowing":true' not in seen.replace(" ", ""),
        seen,
    )


def suspended(results, client, members):
    """A suspended member is hidden everywhere, and their session is invalid."""
    founder, ada, eve = members["founder"], members["ada"], members["eve"]
    own = [one["id"] for one in ada("GET", "/api/users/ada/posts?limit=50").json()]
    founder("PUT", f"/api/admin/members/{ada.id}/suspension", {"note": "attack"})
    for path in views(client, members, own):
        response = eve("GET", path)
        results.record("suspended", f"GET {path}", MARKER not in response.text(), response.text()[:200])
    seen = client.request("GET", "/api/auth/me", headers={"Cookie": ada.cookie}).status
    results.record("suspended", "her session", seen == 401, seen)
    for method, path, body in (
        ("POST", f"/api/posts/{own[0]}/like", None),
        ("POST", "/api/posts", {"content": "x", "replyToId": own[0]}),
    ):
        seen = eve(method, path, body).status
        results.record("suspended", f"{method} {path}", 400 <= seen < 500, seen)
    founder("DELETE", f"/api/admin/members/{ada.id}/suspension")


def muted(results, client, members):
    """A mute affects the lists of the muting member only; suggestions do not name the muted one."""
    ada, eve, mia = members["ada"], members["eve"], members["mia"]
    word = "quietwren"
    ada("PUT", "/api/users/profile", {"displayName": f"Ada {word}", "bio": word})
    mia("DELETE", f"/api/follows/{eve.id}")
    ada("POST", "/api/follows", {"followingId": eve.id})
    mia("POST", "/api/follows", {"followingId": ada.id})
    eve.post("near mia by ada alone")
    reasons = ("/api/users/suggested", "/api/posts/for-you")
    why = f"Followed by Ada {word}"
    named = [path for path in reasons if why in mia("GET", path).text()]
    results.record("mute", "before it, the reason names Ada", len(named) == len(reasons), named)
    mia("POST", f"/api/mutes/{ada.id}")
    for path in reasons:
        response = mia("GET", path)
        results.record("mute", f"reasons of GET {path}", why not in response.text(), response.text()[:200])
    post = ada.post(f"{word} #{word} @mia")
    for path in (
        "/api/posts/feed",
        "/api/posts/for-you",
        f"/api/hashtags/{word}/posts",
        "/api/notifications",
    ):
        response = mia("GET", path)
        results.record("mute", f"GET {path}", word not in response.text(), response.text()[:200])
    mine = mia.post("a post of mia's")
    seen = ada("POST", f"/api/posts/{mine}/like").status, ada("GET", "/api/users/mia").json()
    results.record(
        "mute",
        "Ada cannot detect the mute",
        seen[0] < 300 and "mute" not in str({k: v for k, v in seen[1].items() if v}).lower(),
        seen,
    )
    mia("DELETE", f"/api/mutes/{ada.id}")
    results.record(
        "mute", "after the unmute, her posts are visible again", word in mia("GET", "/api/users/ada/posts").text(), post
    )
