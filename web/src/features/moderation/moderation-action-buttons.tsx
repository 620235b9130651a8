import { useId, useState } from "react";
import { Button } from "@/ui/button";
import { type ModerationAction, ModerationActionDialog } from "./moderation-action-dialog";

/** Buttons that ask before they do something to a post or a member; `about` names it for screen readers. */
export function ModerationActionButtons(props: { actions: ModerationAction[]; about: string }) {
  const { actions, about } = props;
  const id = useId();
  // A copy of the chosen action, because the list behind the dialog may change meanwhile.
  const [openAction, setOpenAction] = useState<ModerationAction | null>(null);
  return (
    <>
      {actions.map((action, index) => (
        <Button
          // oxlint-disable-next-line react/no-array-index-key -- the button that undoes an action keeps its focus
          key={index}
          variant="outline"
          size="small"
          aria-label={`${action.action}: ${about}`}
          onClick={() => setOpenAction(action)}
        >
          {action.action}
        </Button>
      ))}
      {openAction && (
        <ModerationActionDialog
          action={openAction}
          inputKey={`${id}:${openAction.action}`}
          onClose={() => setOpenAction(null)}
        />
      )}
    </>
  );
}
