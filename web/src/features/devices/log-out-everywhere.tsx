import { useRef, useState } from "react";
import { Button } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { useEndAllDevices } from "./use-end-all-devices";

/** Ends all sessions, once that was asked. */
export function LogOutEverywhere() {
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const end = useEndAllDevices();
  return (
    <>
      <Button ref={button} look="outline" onClick={() => setAsking(true)}>
        Log out everywhere
      </Button>
      {asking && (
        <ConfirmDialog
          title="Log out everywhere?"
          description="You are logged out on all devices, this one too. To come back you need a new login link."
          action="Log out"
          pendingAction="Logging out..."
          pending={end.isPending}
          onConfirm={() => end.mutate()}
          onCancel={() => setAsking(false)}
          onGone={() => button.current?.focus()}
        />
      )}
    </>
  );
}
