"""Rules of the API that a schema cannot express.

Schemathesis reports an error response to a request that matches the schema as a failure. This is
correct unless the error names a rule that the OpenAPI document states in words. Each rule below
returns true if the request certainly keeps it; then the error stays a failure.
"""

import os
import pathlib
import re

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData, UseAfterFree

FOLDER = pathlib.Path(os.environ["KITH_FUZZ_FOLDER"])
ME = (FOLDER / "me").read_text()


def load_dictionary(name):
    return {line.strip('"') for line in (FOLDER / f"{name}.dict").read_text().splitlines()}


TOKENS, OPTIONS, POLLS = load_dictionary("tokens"), load_dictionary("options"), load_dictionary("polls")
IMAGES = load_dictionary("images")


def is_plain(text, max_length):
    """Whether a text is visible and surely within the limit: characters are at most code points."""
    return len(text) <= max_length and re.search(r"[A-Za-z0-9]", text) is not None


def has_plain_options(options):
    """Whether there is no poll, or two to four distinct plain options."""
    if not options:
        return True
    different = len({option.strip().lower() for option in options}) == len(options)
    return len(options) >= 2 and different and all(is_plain(option, 50) for option in options)


def has_plain_alts(case):
    """Whether there are at most as many descriptions as images, each within the limit."""
    alts, urls = case.body.get("imageAlts") or [], case.body.get("imageUrls") or []
    return len(alts) <= len(urls) and all(len(alt or "") <= 1_000 for alt in alts)


def is_inside(crop):
    """Whether a crop lies inside the image and is not empty."""
    x, y, width, height = (crop[name] for name in ("x", "y", "width", "height"))
    return min(width, height) > 0.01 and x + width <= 1 and y + height <= 1


def is_plain_email(case):
    """Whether an email address has no special characters."""
    return re.fullmatch(r"[A-Za-z0-9._]+@[A-Za-z0-9.]+", case.body["email"]) is not None


# Errors for profile and header images: an unknown URL or an empty crop.
IMAGE_RULES = {
    "imageURL": lambda case: case.body["imageURL"] in IMAGES,
    "crop": lambda case: is_inside(case.body["crop"]),
}


# By operation and by the field or code that the error names: whether the request keeps the rule.
RULES = {
    # A cursor is one or two 64-bit numbers.
    "*": {"cursor": lambda case: all(int(part) < 2**63 for part in case.query["cursor"].split("-"))},
    # Cursors of For You also contain ids and come from the server only.
    "listForYouFeed": {"cursor": lambda case: False},
    # Cursors of follows and likes are encrypted; no request has a valid one.
    "listFollowers": {"cursor": lambda case: False},
    "listFollowing": {"cursor": lambda case: False},
    "listUserPosts": {
        "cursor": lambda case: case.query.get("filter") != "likes"
        and re.fullmatch("[1-9][0-9]{0,18}", case.query["cursor"]) is not None
        and int(case.query["cursor"]) < 2**63
    },
    # Links and codes are secrets: a random one is well formed but invalid.
    "verifyLink": {
        "link_invalid": lambda case: case.query["token"] in TOKENS,
        "link_used": lambda case: case.query["token"] not in TOKENS,
        # A login invalidates the links printed before the one it used.
        "link_expired": lambda case: case.query["token"] not in TOKENS,
        "link_dead": lambda case: case.query["token"] not in TOKENS,
    },
    "confirmLink": {
        "link_invalid": lambda case: case.body["token"] in TOKENS,
        # The links in the dictionary were not sent by email.
        "email": lambda case: case.body["token"] not in TOKENS,
        "link_dead": lambda case: case.body["token"] not in TOKENS,
    },
    "joinWaitlist": {"email": is_plain_email},
    "vouch": {"email": is_plain_email},
    "changeEmail": {"email": is_plain_email},
    "verifyCode": {"code": lambda case: False},
    # The member with these codes may be suspended by then, or have frozen invites.
    "requestMagicLink": {"inviteCode": lambda case: False},
    # Sent by email: no request has a valid one.
    "confirmEmail": {"link_invalid": lambda case: False},
    "getEmailLink": {"link_invalid": lambda case: False},
    "confirmEmailCode": {"code": lambda case: False, "change_expired": lambda case: False},
    # One at a time, three per day.
    "startExport": {
        "export_under_way": lambda case: False,
        "exports_used_up": lambda case: False,
    },
    "getExportFile": {"export_not_found": lambda case: False},
    # Requires the member's own username; the only admin cannot be deleted.
    "deleteAccount": {"username": lambda case: False, "last_admin": lambda case: False},
    # Length is counted in grapheme clusters, after cleaning.
    "createPost": {
        "content": lambda case: is_plain(case.body.get("content") or "", 500),
        "pollOptions": lambda case: has_plain_options(case.body.get("pollOptions")),
        "imageUrls": lambda case: all(url in IMAGES for url in case.body["imageUrls"]),
        "imageAlts": lambda case: has_plain_alts(case),
    },
    "updateProfile": {
        "displayName": lambda case: is_plain(case.body["displayName"], 50),
        "bio": lambda case: len(case.body["bio"]) <= 160,
        "website": lambda case: re.fullmatch(
            r"(https?://)?([a-z]{1,60}\.){1,2}[a-z]{2,60}(/[a-z]*)?", case.body["website"]
        ),
    },
    # Misleading names are reserved; none of them contains a digit.
    "chooseUsername": {
        "username": lambda case: re.search("[0-9]", case.body["username"])
        and "member_" not in case.body["username"].lower()
    },
    "vote": {
        "option": lambda case: case.path_parameters["id"] in POLLS
        and case.body["option"].strip() in OPTIONS
    },
    # Each upload URL counts as the largest file; 19 of them use up the quota of a member.
    "createUpload": {"too_many_uploads": lambda case: False},
    # An upload URL accepts one file, and it may expire during the run.
    "sendUpload": {"upload_exists": lambda case: False, "upload_expired": lambda case: False},
    "setProfileImage": IMAGE_RULES,
    "setHeaderImage": IMAGE_RULES,
    "blockUser": {"userId": lambda case: case.path_parameters["userId"] != ME},
    "muteUser": {"userId": lambda case: case.path_parameters["userId"] != ME},
    # One target per report, and not an own one; the founder wrote every post here.
    "report": {
        "postId": lambda case: bool(case.body.get("postId")) != bool(case.body.get("userId")),
        "own": lambda case: False,
    },
    # A text needs a visible character.
    "object": {"text": lambda case: False},
    "objectByLink": {"text": lambda case: False},
    # Only times within the next two years.
    "suspendMember": {"until": lambda case: False},
    "freezeInvites": {"until": lambda case: False},
    "resolveReports": {"until": lambda case: False},
    "setQuietHours": {
        "timeZone": lambda case: case.body["timeZone"] in ("UTC", "Europe/Berlin"),
        "until": lambda case: case.body["from"] != case.body["until"],
    },
    # Lengths are counted in grapheme clusters, and a version rises with each change.
    "updateSettings": {
        "name": lambda case: len(case.body["name"]) <= 50,
        "contact": lambda case: False,
        "accentColor": lambda case: case.body["accentColor"] in ("", "#000000"),
        "description": lambda case: len(case.body["description"]) <= 300,
        "headline": lambda case: len(case.body["headline"]) <= 300,
        "tagline": lambda case: len(case.body["tagline"]) <= 300,
        "announcement": lambda case: len(case.body["announcement"]) <= 500,
        "pinnedTopics": lambda case: not case.body["pinnedTopics"],
        "settings_changed": lambda case: False,
    },
    # Only the version of the current announcement.
    "mailAnnouncement": {"version": lambda case: False},
    # The images here are too small for an icon.
    "setIcon": {"imageURL": lambda case: False},
    # A network without pages, and without rules.
    "acceptRules": {"version": lambda case: False},
    "getSitePage": {"page_not_found": lambda case: False},
    # Only URLs of known push services, and points of a curve.
    "savePushSubscription": {"endpoint": lambda case: False, "p256dh": lambda case: False},
    "follow": {"followingId": lambda case: case.body["followingId"] != ME},
}


# By operation: whether the response after a deletion says that the object is deleted.
SHOWS_DELETION = {
    # Unfollowing deletes the follow, not the member.
    "getFollowStatus": lambda body: body == {"isFollowing": False},
    # A deleted post with replies stays in its thread.
    "getThread": lambda body: body["post"]["isDeleted"],
}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Returns whether the failure is a real one."""
    if isinstance(failure, UseAfterFree):
        is_deleted = SHOWS_DELETION.get(case.operation.definition.raw["operationId"])
        return is_deleted is None or not is_deleted(response.json())
    if not isinstance(failure, RejectedPositiveData):
        return True
    error = response.json()
    name = next(iter(error.get("fields", {})), error["code"])
    operation = case.operation.definition.raw["operationId"]
    keeps = RULES.get(operation, {}).get(name) or RULES["*"].get(name)
    return keeps is None or bool(keeps(case))
