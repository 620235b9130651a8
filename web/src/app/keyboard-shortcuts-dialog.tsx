import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import Dialog from "@/ui/dialog";
import { shortcuts } from "./use-keyboard-shortcuts";

export default function KeyboardShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={t`Keyboard shortcuts`}>
      <dl className="px-6 pt-3 pb-4">
        {shortcuts.map(({ keys, description }) => (
          <div
            key={keys}
            className="flex items-center justify-between border-b border-border py-2.5 last:border-0"
          >
            <dt>{t(description)}</dt>
            <dd className="flex gap-1.5">
              {keys.split(" ").map((key) => (
                <kbd
                  key={key}
                  className="min-w-8 rounded-lg border border-border bg-background px-2 py-0.5 text-center font-sans text-sm font-medium"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <p className="px-6 pb-6 text-sm text-muted-foreground">
        <Trans>You can turn them off in Settings.</Trans>
      </p>
    </Dialog>
  );
}
