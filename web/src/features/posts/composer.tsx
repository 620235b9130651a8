import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useRef,
} from "react";
import { ApiError } from "@/api/error";
import { useMember } from "@/api/session";
import { cx } from "@/lib/cx";
import { isPostable } from "@/lib/post-text";
import { Avatar } from "@/ui/avatar";
import { useFileDrop } from "@/ui/use-file-drop";
import { AttachmentList } from "./attachment-list";
import { ComposerBar } from "./composer-bar";
import { newPost, noteAttempt, useDraft } from "./draft";
import { pollProblem, togglePoll } from "./poll-draft";
import { PollEditor } from "./poll-editor";
import { useAttachments } from "./use-attachments";
import { useCreatePost } from "./use-create-post";

interface Props {
  /** Rows of the text area before it grows. */
  rows: 2 | 6;
  replyToId?: string;
  autoFocus?: boolean;
  onPosted?: () => void;
}

/** Where a post or a reply is written. What is written survives failures and reloads. */
export function Composer({ rows, replyToId, autoFocus = false, onPosted }: Props) {
  const me = useMember();
  const { opened, draft, change } = useDraft(me.id, replyToId);
  const attachments = useAttachments(draft.images, change);
  const create = useCreatePost(opened);
  const area = useRef<HTMLTextAreaElement>(null);
  const countId = useId();
  const { isOver, target } = useFileDrop(attach);
  const problem = pollProblem(draft.poll);
  const blocked = attachments.waiting !== null || problem !== null;
  const disabled = create.isPending || blocked || !isPostable(draft.text);

  useEffect(() => {
    if (autoFocus) area.current?.focus();
  }, [autoFocus]);

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (disabled) return;
    const body = newPost(draft, replyToId);
    create.mutate(
      { body, key: noteAttempt(opened, body) },
      {
        // Not called once this composer is closed: what must happen anyway is up to the mutation.
        onSuccess() {
          attachments.clearProblem();
          onPosted?.();
        },
        onError(error) {
          const isGone = error instanceof ApiError && error.code === "upload_not_found";
          if (isGone) void attachments.dropMissing();
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
    <form onSubmit={submit} {...target} className="relative flex gap-3">
      <Avatar member={me} className="max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <textarea
          ref={area}
          rows={rows}
          value={draft.text}
          onChange={(event) => change({ text: event.target.value })}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          readOnly={create.isPending}
          dir="auto"
          aria-label={replyToId ? "Your reply" : "Your post"}
          aria-describedby={countId}
          placeholder={replyToId ? "Write your reply" : "What's on your mind?"}
          className={cx(
            "field-sizing-content max-h-[50dvh] w-full resize-none bg-transparent pt-1.5 text-lg leading-7 outline-none",
            // Growing with the text makes browsers ignore the number of rows.
            rows === 2 ? "min-h-[4.25rem]" : "min-h-[11.25rem]",
          )}
        />
        <AttachmentList
          images={draft.images}
          disabled={create.isPending}
          onChange={change}
          onRemove={attachments.remove}
        />
        {attachments.problem && (
          <p role="alert" className="mt-2 text-sm [overflow-wrap:anywhere] text-danger">
            {attachments.problem}
          </p>
        )}
        {draft.poll && (
          <PollEditor
            poll={draft.poll}
            problem={problem}
            disabled={create.isPending}
            onChange={(poll) => change({ poll })}
          />
        )}
        <ComposerBar
          countId={countId}
          draft={draft}
          pending={create.isPending}
          disabled={disabled}
          waiting={attachments.waiting}
          onFiles={attach}
          onTogglePoll={() => change({ poll: togglePoll(draft.poll) })}
        />
      </div>
      {isOver && <DropHere />}
    </form>
  );
}

function DropHere() {
  return (
    <div className="pointer-events-none absolute -inset-2 z-10 flex items-center justify-center rounded-2xl border-2 border-dashed border-ember bg-paper/90 font-serif text-2xl">
      Drop images here
    </div>
  );
}
