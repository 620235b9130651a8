"""Rules of the API that no schema can state.

The fuzzer takes a refusal of what fits the schema for a failure. It is none when the refusal names
a rule that the description states in words, and the request may break it. Each rule below says
when a request certainly keeps it; then a refusal stays a failure.
"""

import os
import pathlib
import re

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData, UseAfterFree

FOLDER = pathlib.Path(os.environ["KITH_FUZZ_FOLDER"])
ME = (FOLDER / "me").read_text()


def known(name):
    return {line.strip('"') for line in (FOLDER / f"{name}.dict").read_text().splitlines()}


TOKENS, OPTIONS, POLLS = known("tokens"), known("options"), known("polls")
IMAGES = known("images")


def plain(text, longest):
    """Something to see, in so few code points that there are no more characters."""
    return len(text) <= longest and re.search(r"[A-Za-z0-9]", text) is not None


def plain_options(options):
    """No poll, or two to four different plain options."""
    if not options:
        return True
    different = len({option.strip().lower() for option in options}) == len(options)
    return len(options) >= 2 and different and all(plain(option, 50) for option in options)


def plain_alts(case):
    """No more descriptions than images, each of few code points."""
    alts, urls = case.body.get("imageAlts") or [], case.body.get("imageUrls") or []
    return len(alts) <= len(urls) and all(len(alt or "") <= 1_000 for alt in alts)


def inside(part):
    """A part of the image that is something."""
    x, y, width, height = (part[name] for name in ("x", "y", "width", "height"))
    return min(width, height) > 0.01 and x + width <= 1 and y + height <= 1


def harmless(case):
    """An address that a shell takes for one word."""
    return re.fullmatch(r"[A-Za-z0-9._]+@[A-Za-z0-9.]+", case.body["email"]) is not None


# What a picture or header can be refused for. One that was sent again is another file's.
PICTURE = {
    "imageURL": lambda case: case.body["imageURL"] in IMAGES,
    "crop": lambda case: inside(case.body["crop"]),
}


# Operation, and the field or code that the refusal names: whether the request keeps the rule.
RULES = {
    # A page's cursor is one or two 64-bit numbers.
    "*": {"cursor": lambda case: all(int(part) < 2**63 for part in case.query["cursor"].split("-"))},
    # That of For You also holds ids, which only the server writes.
    "listForYouFeed": {"cursor": lambda case: False},
    # Those of follows and likes are sealed: no request has one.
    "listFollowers": {"cursor": lambda case: False},
    "listFollowing": {"cursor": lambda case: False},
    "listUserPosts": {
        "cursor": lambda case: case.query.get("filter") != "likes"
        and re.fullmatch("[1-9][0-9]{0,18}", case.query["cursor"]) is not None
        and int(case.query["cursor"]) < 2**63
    },
    # A link or a code is a secret: one that nobody was sent is well formed, and refused.
    "verifyLink": {
        "link_invalid": lambda case: case.query["token"] in TOKENS,
        "link_used": lambda case: case.query["token"] not in TOKENS,
        # A login ends the addresses that were printed before the one it used.
        "link_expired": lambda case: case.query["token"] not in TOKENS,
        "link_dead": lambda case: case.query["token"] not in TOKENS,
    },
    "confirmLink": {
        "link_invalid": lambda case: case.body["token"] in TOKENS,
        # Those in the dictionary were not sent to any address.
        "email": lambda case: case.body["token"] not in TOKENS,
        "link_dead": lambda case: case.body["token"] not in TOKENS,
    },
    "joinWaitlist": {"email": harmless},
    "vouch": {"email": harmless},
    "changeEmail": {"email": harmless},
    "verifyCode": {"code": lambda case: False},
    # Whose codes these are may be suspended by then, or have their invites frozen.
    "requestMagicLink": {"inviteCode": lambda case: False},
    # Mailed as well: no request here has one that works.
    "confirmEmail": {"link_invalid": lambda case: False},
    "getEmailLink": {"link_invalid": lambda case: False},
    "confirmEmailCode": {"code": lambda case: False, "change_expired": lambda case: False},
    # One at a time, three a day.
    "startExport": {
        "export_under_way": lambda case: False,
        "exports_used_up": lambda case: False,
    },
    "getExportFile": {"export_not_found": lambda case: False},
    # Only one's own name, and not the only admin's.
    "deleteAccount": {"username": lambda case: False, "last_admin": lambda case: False},
    # Characters are counted as people count them, after cleaning.
    "createPost": {
        "content": lambda case: plain(case.body.get("content") or "", 500),
        "pollOptions": lambda case: plain_options(case.body.get("pollOptions")),
        "imageUrls": lambda case: all(url in IMAGES for url in case.body["imageUrls"]),
        "imageAlts": lambda case: plain_alts(case),
    },
    "updateProfile": {
        "displayName": lambda case: plain(case.body["displayName"], 50),
        "bio": lambda case: len(case.body["bio"]) <= 160,
        "website": lambda case: re.fullmatch(
            r"(https?://)?([a-z]{1,60}\.){1,2}[a-z]{2,60}(/[a-z]*)?", case.body["website"]
        ),
    },
    # Names that would mislead are reserved; none of them has a digit.
    "chooseUsername": {
        "username": lambda case: re.search("[0-9]", case.body["username"])
        and "member_" not in case.body["username"].lower()
    },
    "vote": {
        "option": lambda case: case.path_parameters["id"] in POLLS
        and case.body["option"].strip() in OPTIONS
    },
    # Each address may bring the largest file: 19 of them are all that a member may hold.
    "createUpload": {"too_many_uploads": lambda case: False},
    # An address takes one file, and the run may be longer than it lives.
    "sendUpload": {"upload_exists": lambda case: False, "upload_expired": lambda case: False},
    "setProfileImage": PICTURE,
    "setHeaderImage": PICTURE,
    "blockUser": {"userId": lambda case: case.path_parameters["userId"] != ME},
    "muteUser": {"userId": lambda case: case.path_parameters["userId"] != ME},
    # One thing at a time, and nothing of one's own, as every post here is.
    "report": {
        "postId": lambda case: bool(case.body.get("postId")) != bool(case.body.get("userId")),
        "own": lambda case: False,
    },
    "follow": {"followingId": lambda case: case.body["followingId"] != ME},
}


# Operation, and what it answers of what was deleted before: that it is.
AFTER = {
    # Unfollowing deletes an edge, not the member whom the status is about.
    "getFollowStatus": lambda answer: answer == {"isFollowing": False},
    # A deleted post that somebody answered keeps its place.
    "getThread": lambda answer: answer["post"]["isDeleted"],
}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether it is one."""
    if isinstance(failure, UseAfterFree):
        says_so = AFTER.get(case.operation.definition.raw["operationId"])
        return says_so is None or not says_so(response.json())
    if not isinstance(failure, RejectedPositiveData):
        return True
    refusal = response.json()
    name = next(iter(refusal.get("fields", {})), refusal["code"])
    operation = case.operation.definition.raw["operationId"]
    keeps = RULES.get(operation, {}).get(name) or RULES["*"].get(name)
    return keeps is None or bool(keeps(case))
