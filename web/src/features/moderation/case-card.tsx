import { useMember } from "@/api/session";
import type { Case } from "@/api/types";
import { reportReasons } from "@/lib/report-reasons";
import { Age } from "@/ui/age";
import { DeedButton } from "./deed-button";
import { dismissal, freeze, removal, suspension, suspensionByCase } from "./deeds";
import { isAbove } from "./roles";
import { Standing } from "./standing";

/** What was reported, why, and what can be done about it. */
export function CaseCard({ row: reported }: { row: Case }) {
  const { kind, member, reportCount, reasons, reportedAt, resolution } = reported;
  const why = reasons.map(({ reason, count }) => `${reportReasons[reason]} (${count})`).join(", ");
  return (
    <li
      tabIndex={-1}
      data-row
      className="space-y-3 border-b border-line px-4 py-5 -outline-offset-2 sm:px-5"
    >
      <p className="text-sm text-muted">
        <strong className="font-semibold text-ink">
          {kind === "post" ? "Post" : "Member"}, reported{" "}
          {reportCount === 1 ? "once" : `${reportCount} times`}
        </strong>{" "}
        · {why} · <Age at={reportedAt} />
      </p>
      <Standing member={member} />
      <Evidence reported={reported} />
      <Notes reported={reported} />
      {resolution ? <Resolved reported={reported} /> : <Choices reported={reported} />}
    </li>
  );
}

function Evidence({ reported: { evidence } }: { reported: Case }) {
  return evidence.map(({ text, imageUrls }) => (
    <blockquote
      key={[text, ...imageUrls].join("\n")}
      dir="auto"
      className="clip-marks rounded-2xl border border-line bg-wash/50 px-4 py-3 whitespace-pre-wrap [overflow-wrap:anywhere]"
    >
      {text || <span className="text-muted">No text.</span>}
      {imageUrls.length > 0 && (
        <span className="mt-2 flex flex-wrap gap-x-4 text-sm">
          {imageUrls.map((url, number) => (
            <a
              key={url}
              href={url}
              target="_blank"
              rel="noreferrer"
              className="min-h-6 font-semibold text-ember-deep hover:underline"
            >
              Image {number + 1}
            </a>
          ))}
        </span>
      )}
    </blockquote>
  ));
}

function Notes({ reported: { reports } }: { reported: Case }) {
  const notes = reports.filter(({ note }) => note !== "");
  if (notes.length === 0) return null;
  return (
    <ul className="space-y-1 text-[15px]" aria-label="What was said in the reports">
      {notes.map(({ note, reason, createdAt }) => (
        <li key={`${createdAt} ${reason} ${note}`} className="clip-marks [overflow-wrap:anywhere]">
          <span className="text-muted">{reportReasons[reason]}:</span>{" "}
          <span dir="auto" className="whitespace-pre-wrap">
            {note}
          </span>{" "}
          <span className="text-sm text-muted">
            <Age at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Choices({ reported }: { reported: Case }) {
  const { kind, member } = reported;
  const { role } = useMember();
  const about = kind === "post" ? `post by @${member.username}` : `@${member.username}`;
  const mayAct = isAbove(role, member.role);
  return (
    <>
      {!mayAct && (
        <p className="text-sm text-muted">
          Only somebody with a higher role than @{member.username} can do more than dismiss this.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <DeedButton deed={dismissal(reported)} about={about} />
        {mayAct && kind === "post" && <DeedButton deed={removal(reported)} about={about} />}
        {mayAct && !member.suspendedAt && (
          <DeedButton deed={suspensionByCase(reported)} about={about} />
        )}
        {mayAct && <DeedButton deed={freeze(member)} about={about} />}
      </div>
    </>
  );
}

const decisions = { dismiss: "Dismissed", remove: "Post removed", suspend: "Member suspended" };

function Resolved({ reported }: { reported: Case }) {
  const { member, resolution } = reported;
  const { role } = useMember();
  if (!resolution) return null;
  const about = `@${member.username}`;
  return (
    <>
      <p className="clip-marks text-[15px] [overflow-wrap:anywhere]">
        <strong className="font-semibold">{decisions[resolution.action]}</strong> by{" "}
        {resolution.by ? `@${resolution.by.username}` : "the operator"},{" "}
        <Age at={resolution.createdAt} />
        {resolution.note !== "" && (
          <span dir="auto" className="block text-muted">
            {resolution.note}
          </span>
        )}
      </p>
      {isAbove(role, member.role) && (
        <div className="flex flex-wrap gap-2">
          <DeedButton deed={suspension(member)} about={about} />
          <DeedButton deed={freeze(member)} about={about} />
        </div>
      )}
    </>
  );
}
