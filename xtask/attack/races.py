"""Race conditions on links, codes and votes, and ways around rate limits."""

from concurrent.futures import ThreadPoolExecutor

from client import cookie_of


def run_concurrently(count, action):
    """Runs an action `count` times concurrently, each with its number."""
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(action, range(count)))


def races(results, client, members):
    """Actions that may happen once happen once under concurrency."""
    ada, eve, mia = members["ada"], members["eve"], members["mia"]
    client.join("twin")
    # A new email address, since a second email to the old one would wait a minute.
    client.operator("member", "email", "twin", "twins@example.org")
    token, nonce = client.token_for("twins@example.org")
    proofs = run_concurrently(
        16, lambda _: client.request("GET", f"/api/auth/verify?token={token}", headers={"Cookie": nonce})
    )
    sessions = {cookie_of(one) for one in proofs if one.status == 200}
    results.record(
        "races", "16 logins with one link are one session", len(sessions) == 1, {one.status for one in proofs}
    )
    strangers = run_concurrently(16, lambda _: client.request("GET", f"/api/auth/verify?token={token}"))
    results.record(
        "races",
        "the used link without its browser",
        all(one.status >= 400 for one in strangers),
        {one.status for one in strangers},
    )
    _, code, _ = client.operator("invite", "create")
    proofs = [(client.token_for(f"racer{n}@example.org", invite=code)) for n in range(8)]
    joined = run_concurrently(
        8,
        lambda n: client.request(
            "GET", f"/api/auth/verify?token={proofs[n][0]}&invite={code}", headers={"Cookie": proofs[n][1]}
        ),
    )
    won = [one.status for one in joined].count(200)
    results.record(
        "races", "8 claims of one invite code make one member", won == 1, [one.status for one in joined]
    )
    post = ada.post("race")
    run_concurrently(24, lambda n: (eve if n % 2 else mia)("POST" if n % 3 else "DELETE", f"/api/posts/{post}/like"))
    for one in (eve, mia):
        one("POST", f"/api/posts/{post}/like")
    seen = ada("GET", f"/api/posts/{post}/thread").text()
    results.record("races", "24 likes and unlikes, then two likes", '"likeCount":2' in seen, seen[:200])
    poll = ada.post("poll", pollOptions=["one", "two"], pollDurationMinutes=60)
    votes = run_concurrently(
        12, lambda n: eve("POST", f"/api/posts/{poll}/vote", {"option": ("one", "two")[n % 2]}).status
    )
    seen = mia("GET", f"/api/posts/{poll}/thread").json()["post"]["pollTallies"]
    results.record(
        "races", "12 votes of one member are one", sum(seen.values()) == 1 and max(votes) < 500, (votes, seen)
    )
    key = {"Idempotency-Key": "attack-once"}
    ids = {
        one.json()["id"]
        for one in run_concurrently(12, lambda _: eve("POST", "/api/posts", {"content": "once"}, key))
        if one.status == 201
    }
    results.record("races", "12 posts with one key are one", len(ids) == 1, ids)
    target = ada.post("to be deleted")
    responses = run_concurrently(
        12,
        lambda n: (
            ada("DELETE", f"/api/posts/{target}")
            if n == 6
            else eve("POST", "/api/posts", {"content": "late", "replyToId": target})
        ),
    )
    seen = eve("GET", f"/api/posts/{target}/thread").status
    results.record(
        "races",
        "replies while the post is deleted",
        max(one.status for one in responses) < 500 and seen in (200, 404),
        {one.status for one in responses},
    )
    quota = run_concurrently(12, lambda _: mia("POST", "/api/invites").status)
    results.record("races", "12 concurrent codes from a quota of 3", quota.count(201) + quota.count(200) <= 3, quota)
    reposts = run_concurrently(12, lambda _: mia("POST", "/api/posts", {"repostOfId": post}).status)
    seen = mia("GET", f"/api/posts/{post}/thread").text()
    results.record("races", "12 reposts of one post are one", '"repostCount":1' in seen, (reposts, seen[:200]))
    follows = run_concurrently(
        12,
        lambda n: (
            mia("POST", "/api/follows", {"followingId": eve.id})
            if n % 2
            else mia("DELETE", f"/api/follows/{eve.id}")
        ),
    )
    mia("POST", "/api/follows", {"followingId": eve.id})
    listed = [one["username"] for one in mia("GET", "/api/users/eve/followers").json()].count("mia")
    results.record(
        "races",
        "follows and unfollows, then a follow",
        listed == 1 and max(one.status for one in follows) < 500,
        listed,
    )


def rate_limits(results, client, _):
    """Ways around the rate limits per IP address."""

    def asks(count, head):
        body = {"email": "flood@example.org"}
        return [
            client.request("POST", "/api/auth/request-login-link", body, head(n)).status for n in range(count)
        ]

    own = client.new_ip()
    ways = {
        "40 from one IP address": lambda _: {"X-Forwarded-For": own},
        "40 with an invented first hop": lambda n, own=client.new_ip(): {
            "X-Forwarded-For": f"203.0.113.{n}, {own}"
        },
        "40 from one /64": lambda n: {"X-Forwarded-For": f"2001:db8:1:1::{n:x}"},
        "40 with a port and brackets": lambda n: {
            "X-Forwarded-For": f"203.0.113.{n}:80, [2001:db8:2:2::{n:x}]"
        },
        "40 with X-Real-IP": lambda n, own=client.new_ip(): {
            "X-Forwarded-For": own,
            "X-Real-IP": f"203.0.113.{n}",
        },
        "40 with Forwarded": lambda n, own=client.new_ip(): {
            "X-Forwarded-For": own,
            "Forwarded": f"for=203.0.113.{n}",
        },
        "40 with the proxy's IP address last": lambda n, own=client.new_ip(): {
            "X-Forwarded-For": f"203.0.113.{n}, {own}, 127.0.0.1"
        },
        "40 as mapped IPv4": lambda _, own=client.new_ip(): {"X-Forwarded-For": f"::ffff:{own}"},
        "40 with words for a hop": lambda n: {"X-Forwarded-For": f"203.0.113.{n}, unknown"},
    }
    for what, head in ways.items():
        seen = asks(40, head)
        results.record(
            "rate limits", what, seen.count(200) <= 25 and 429 in seen, (seen.count(200), seen.count(429))
        )
    for what, path, body, most in [
        ("codes guessed", "/api/auth/verify-code", {"code": "AAAA2222"}, 30),
        ("links guessed", "/api/auth/verify", {"token": "A" * 54, "email": "a@example.org"}, 30),
        ("the waitlist filled", "/api/waitlist", {"email": "w@example.org"}, 5),
    ]:
        own = client.new_ip()
        seen = [client.request("POST", path, body, ip=own).status for _ in range(most + 10)]
        results.record("rate limits", what, seen.count(429) >= 10, seen[-3:])
