import { useState } from "react";
import { Link } from "wouter";
import type { Case } from "@/api/types";
import { MemberHandle } from "./member";

/** A text with its images, as it was when it was reported or as it is now. */
export function EvidenceQuote({ evidence }: { evidence: Case["evidence"][number] }) {
  const { text, imageUrls } = evidence;
  return (
    <blockquote
      dir="auto"
      className="clip-marks rounded-2xl border border-line bg-wash/50 px-4 py-3 whitespace-pre-wrap [overflow-wrap:anywhere]"
    >
      {text || <span className="text-muted">No text.</span>}
      {imageUrls.length > 0 && (
        <span className="mt-3 flex flex-wrap gap-2">
          {imageUrls.map((url, index) => (
            <EvidenceImage key={url} url={url} name={`Image ${index + 1}`} />
          ))}
        </span>
      )}
    </blockquote>
  );
}

function EvidenceImage({ url, name }: { url: string; name: string }) {
  const [isGone, setGone] = useState(false);
  if (isGone) return <span className="text-sm text-muted">{name} can't be shown.</span>;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="flex h-40 max-w-full min-w-16 rounded-xl border border-line bg-wash"
    >
      <img
        src={url}
        alt={name}
        loading="lazy"
        onError={() => setGone(true)}
        className="m-auto max-h-full max-w-full rounded-[11px] object-contain"
      />
    </a>
  );
}

export function CaseContext({ reported: { post, postId, resolution } }: { reported: Case }) {
  if (!post) return null;
  const { isDeleted, replyTo } = post;
  return (
    <>
      {replyTo && (
        <section aria-label="The post it replies to" className="space-y-2">
          <p className="text-[15px] [overflow-wrap:anywhere]">
            In reply to{" "}
            {replyTo.author ? (
              <>
                <MemberHandle member={replyTo.author} />:
              </>
            ) : (
              "a post that has been deleted."
            )}
          </p>
          {replyTo.evidence && <EvidenceQuote evidence={replyTo.evidence} />}
        </section>
      )}
      {isDeleted && resolution?.action !== "remove" && (
        <p className="text-[15px]">
          {resolution ? "This post has been deleted." : "The author has deleted this post."}
        </p>
      )}
      {!isDeleted && (
        <p className="text-[15px]">
          <Link
            href={`/post/${postId}`}
            className="inline-block py-0.5 font-semibold text-ember-deep hover:underline"
          >
            View the post in context
          </Link>
        </p>
      )}
    </>
  );
}
