import { Trans } from "@lingui/react/macro";
import { Logo } from "@/ui/logo";

/** The page while it is unknown what to show. */
export function Splash() {
  return (
    <div role="status" className="flex min-h-dvh items-center justify-center">
      <span className="animate-breathe">
        <Logo size={36} markOnly />
      </span>
      <span className="sr-only">
        <Trans>Loading...</Trans>
      </span>
    </div>
  );
}
