import { Trans } from "@lingui/react/macro";
import { areShortcutsEnabled, setShortcutsEnabled } from "@/components/keyboard-shortcuts";
import { useStore } from "@/lib/state/store";

/** Where a member turns the keyboard shortcuts of this device off and on. */
export function ShortcutSettings() {
  return (
    <label className="flex min-h-11 w-fit items-center gap-3 pt-3">
      <input
        type="checkbox"
        checked={useStore(areShortcutsEnabled)}
        onChange={(event) => setShortcutsEnabled(event.target.checked)}
        className="size-[18px] shrink-0 accent-primary-strong"
      />
      <Trans>Use keyboard shortcuts on this device</Trans>
    </label>
  );
}
