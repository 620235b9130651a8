import { useState } from "react";
import { useMember } from "@/api/session";
import { Button } from "@/ui/button";
import { IntroductionForm } from "./introduction-form";

/** Asks a new member to choose a username, until they have. */
export function WelcomeCard() {
  const me = useMember();
  const key = `kith:welcome-later:${me.id}`;
  const [later, setLater] = useState(() => wasPutOff(key));
  const [toggled, setToggled] = useState(false);
  if (!me.usernameIsProvisional) return null;

  function putOff(next: boolean) {
    setLater(next);
    setToggled(true);
    keep(key, next);
  }

  return (
    <section aria-label="Welcome" className="border-t border-line bg-wash/60 px-4 py-3 sm:px-5">
      {later ? (
        <div className="flex items-center justify-between gap-4">
          <p className="min-w-0 text-[15px] [overflow-wrap:anywhere] text-muted">
            You are @{me.username} for now.
          </p>
          <Button look="outline" size="small" autoFocus={toggled} onClick={() => putOff(false)}>
            Choose username
          </Button>
        </div>
      ) : (
        <>
          <h2 className="pt-2 font-serif text-[28px] leading-9">Welcome to Kith</h2>
          <p className="mb-5 text-[15px] text-muted">
            How should people know you? You can choose your username only once.
          </p>
          <IntroductionForm autoFocus={toggled} onLater={() => putOff(true)} />
        </>
      )}
    </section>
  );
}

function wasPutOff(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function keep(key: string, later: boolean): void {
  try {
    if (later) sessionStorage.setItem(key, "1");
    else sessionStorage.removeItem(key);
  } catch {
    // Without storage the card is back after a reload, and nothing else.
  }
}
