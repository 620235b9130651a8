import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChartBarBig, ImagePlus } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useId, useState } from "react";
import { hasStatus } from "@/api/api-error";
import { useCurrentUser } from "@/api/auth";
import { cx } from "@/lib/dom/cx";
import { handleSubmit } from "@/lib/dom/handle-submit";
import {
  isBlank,
  isValidPostText,
  isTooLarge,
  MAX_POST_LENGTH,
  postLength,
} from "@/lib/text/post-text";
import { useStore } from "@/lib/state/store";
import { Avatar } from "@/ui/avatar";
import { Button, IconButton } from "@/ui/button";
import { CharacterCount } from "@/ui/character-count";
import { useDropzone } from "@/ui/use-dropzone";
import { useFilePicker } from "@/ui/use-file-picker";
import { AttachmentGrid } from "./attachment-grid";
import { type Draft, isEmptyDraft, toCreatePostInput, getIdempotencyKey, getDraft } from "./draft";
import { getRemainingSlots } from "./draft-attachments";
import { pollOptions, pollProblem, togglePoll } from "./poll-draft";
import { PollEditor } from "./poll-editor";
import { useAttachments } from "./use-attachments";
import { useCreatePost } from "./use-create-post";

interface Props {
  rows: 2 | 6;
  replyToId?: string;
  autoFocus?: boolean;
  onPosted?: () => void;
}

/** The form of a post or a reply. Its text survives failures and reloads. */
export function Composer({ rows, replyToId, autoFocus = false, onPosted }: Props) {
  const currentUser = useCurrentUser();
  const draftHandle = getDraft(currentUser.id, replyToId);
  const draft = useStore(draftHandle.store);
  const { update } = draftHandle;
  const { images, lostImageCount = 0 } = draft;
  const attachments = useAttachments(images, update);
  const create = useCreatePost(draftHandle);
  const remainingSlots = getRemainingSlots(images);
  const picker = useFilePicker(remainingSlots > 1, attach);
  const countId = useId();
  const [wasFocused, setWasFocused] = useState(false);
  // It stays open when the focus leaves: what is below would move away from the finger that left it.
  const isIdle = rows === 2 && !wasFocused && isEmptyDraft(draft);
  const { isOver: isDraggingOver, target } = useDropzone(attach);
  const problem = pollProblem(draft.poll);
  const isBlocked = attachments.waiting !== null || problem !== null;
  const status = attachments.waiting ?? getTextProblem(draft);
  const disabled = create.isPending || isBlocked || !isValidPostText(draft.text);

  function submit() {
    if (disabled) return;
    const body = toCreatePostInput(draft, replyToId);
    create.mutate(
      { body, key: getIdempotencyKey(draftHandle, body) },
      {
        // Not called once this composer is closed: what must happen anyway is up to the mutation.
        onSuccess() {
          attachments.clearProblem();
          setWasFocused(false);
          onPosted?.();
        },
        onError(error) {
          const isMissing = hasStatus(error, 404) && error.code === "upload_not_found";
          if (isMissing) void attachments.dropMissing();
        },
      },
    );
  }

  function attach(files: readonly File[]) {
    if (!create.isPending) void attachments.attach(files);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
  }

  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    // Copied from a document, a text comes with a picture of itself.
    if (files.length === 0 || event.clipboardData.getData("text/plain") !== "") return;
    event.preventDefault();
    attach(files);
  }

  return (
    <form
      onSubmit={handleSubmit(submit)}
      {...target}
      data-idle={isIdle || undefined}
      className="group/composer relative flex gap-3"
    >
      <Avatar user={currentUser} className="max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <textarea
          rows={rows}
          autoFocus={autoFocus}
          value={draft.text}
          onChange={(event) => update({ text: event.target.value })}
          onFocus={() => setWasFocused(true)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          readOnly={create.isPending}
          dir="auto"
          aria-label={replyToId ? t`Your reply` : t`Your post`}
          aria-describedby={countId}
          placeholder={replyToId ? t`Write your reply` : t`What's on your mind?`}
          className={cx(
            "field-sizing-content max-h-[50dvh] w-full resize-none bg-transparent pt-1.5 text-lg leading-7 outline-none",
            // Growing with the text makes browsers ignore the number of rows.
            rows === 2 ? "min-h-[4.25rem]" : "min-h-[11.25rem]",
            "max-md:group-data-idle/composer:min-h-11",
          )}
        />
        <AttachmentGrid
          images={images}
          disabled={create.isPending}
          onChange={update}
          onRemove={attachments.remove}
        />
        {lostImageCount > 0 && (
          <div
            role="status"
            className="mt-2 flex items-center justify-between gap-3 rounded-2xl bg-muted py-1 pe-1 ps-4 text-sm"
          >
            <p className="py-2">
              {plural(lostImageCount, {
                one: "The page was reloaded before an image was uploaded. Please add it again.",
                other:
                  "The page was reloaded before # images were uploaded. Please add them again.",
              })}
            </p>
            <button
              type="button"
              onClick={() => update({ lostImageCount: undefined })}
              className="min-h-11 shrink-0 rounded-full px-3 font-semibold text-primary-strong hover:underline"
            >
              <Trans>OK</Trans>
            </button>
          </div>
        )}
        {attachments.problem && (
          <p role="alert" className="mt-2 text-sm wrap-anywhere text-destructive">
            {attachments.problem}
          </p>
        )}
        {draft.poll && (
          <PollEditor
            poll={draft.poll}
            problem={problem}
            disabled={create.isPending}
            onChange={(poll) => update({ poll })}
          />
        )}
        <div className="mt-2 border-t border-border pt-2.5 max-md:group-data-idle/composer:hidden">
          <div className="flex items-center gap-3">
            <div className="-ms-2.5 flex flex-1">
              {picker.field}
              <IconButton
                label={remainingSlots === 0 ? t`A post can have at most 4 images` : t`Add images`}
                disabled={create.isPending || remainingSlots === 0}
                onClick={picker.open}
                className="text-muted-foreground"
              >
                <ImagePlus size={20} aria-hidden />
              </IconButton>
              <IconButton
                label={draft.poll ? t`Remove poll` : t`Add poll`}
                aria-pressed={draft.poll !== null}
                disabled={create.isPending}
                onClick={() => update({ poll: togglePoll(draft.poll) })}
                className={draft.poll ? "bg-muted text-primary-strong" : "text-muted-foreground"}
              >
                <ChartBarBig size={20} aria-hidden />
              </IconButton>
            </div>
            <CharacterCount id={countId} length={postLength(draft.text)} max={MAX_POST_LENGTH} />
            <Button type="submit" size="small" disabled={disabled}>
              {create.isPending ? t`Posting...` : t`Post`}
            </Button>
          </div>
          <p
            role="status"
            className={cx("text-end text-sm text-muted-foreground", status && "mt-1.5")}
          >
            {status}
          </p>
        </div>
      </div>
      {isDraggingOver && (
        <div className="pointer-events-none absolute -inset-2 z-10 flex items-center justify-center rounded-2xl border-2 border-dashed border-primary bg-background/90 font-serif text-2xl">
          <Trans>Drop images here</Trans>
        </div>
      )}
    </form>
  );
}

/** Why a draft's text cannot be posted; null while the draft is empty or its text is fine. */
function getTextProblem({ text, images, poll }: Draft): string | null {
  if (isTooLarge(text))
    return t`This text is too large to save. Try fewer emoji or combining marks.`;
  if (!isBlank(text)) return null;
  if (images.length > 0) {
    return plural(images.length, {
      one: "Add some text to post your image.",
      other: "Add some text to post your images.",
    });
  }
  return pollOptions(poll).length > 0 ? t`Add some text to post your poll.` : null;
}
