import { Trans } from "@lingui/react/macro";
import { Link } from "wouter";
import { buttonClass } from "@/ui/button";

export default function NotFound() {
  return (
    <div className="flex flex-col items-center gap-6 px-8 py-28 text-center">
      <h1 className="font-serif text-5xl leading-tight text-balance">
        <Trans>404 Page Not Found</Trans>
      </h1>
      <p className="max-w-sm text-balance text-muted-foreground">
        <Trans>
          There's nothing here. The post may have been deleted, or the link may be mistyped.
        </Trans>
      </p>
      <Link href="/" className={buttonClass("primary", "large")}>
        <Trans>Back to home</Trans>
      </Link>
    </div>
  );
}
