import { t } from "@lingui/core/macro";
import { CircleAlert, X } from "lucide-react";
import { Toast as Primitive } from "radix-ui";
import { cx } from "@/lib/dom/cx";
import { useStore } from "@/lib/state/store";
import { currentToast } from "@/lib/state/toast";
import { Button, IconButton } from "./button";

const DURATION = 5_000;
const SWIPE = 50;
/** Radix puts the key here. */
const HOTKEY = "{hotkey}";

/** Shows the current toast until it is swiped to the right, or without an action for five seconds; F8 focuses it. */
export function Toaster() {
  const toast = useStore(currentToast);
  return (
    <Primitive.Provider
      label={t`Notification`}
      duration={DURATION}
      swipeDirection="right"
      swipeThreshold={SWIPE}
    >
      {toast && (
        <Primitive.Root
          key={toast.id}
          {...(toast.action && { duration: Number.POSITIVE_INFINITY })}
          type={toast.destructive ? "foreground" : "background"}
          onOpenChange={(open) => {
            if (!open && currentToast.get()?.id === toast.id) currentToast.set(null);
          }}
          className={cx(
            "pointer-events-auto flex animate-toast gap-3 rounded-2xl border bg-popover py-3 pe-2 ps-5 shadow-float",
            "data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
            toast.destructive ? "border-destructive" : "border-border",
            toast.description ? "items-start" : "items-center",
          )}
        >
          {toast.destructive && (
            <CircleAlert size={20} aria-hidden className="mt-1.5 shrink-0 text-destructive" />
          )}
          <div className="min-w-0 flex-1 py-1">
            <Primitive.Title className="text-body-sm font-semibold">{toast.title}</Primitive.Title>
            {toast.description && (
              <Primitive.Description className="text-sm text-muted-foreground wrap-anywhere">
                {toast.description}
              </Primitive.Description>
            )}
          </div>
          {toast.action && (
            <Primitive.Action asChild altText={toast.action.label}>
              <Button size="small" onClick={toast.action.run}>
                {toast.action.label}
              </Button>
            </Primitive.Action>
          )}
          <Primitive.Close asChild>
            <IconButton label={t`Dismiss`} className="size-9">
              <X size={16} aria-hidden />
            </IconButton>
          </Primitive.Close>
        </Primitive.Root>
      )}
      <Primitive.Viewport
        label={t`Notifications (${HOTKEY})`}
        className="pointer-events-none fixed end-0 bottom-0 z-60 w-[min(400px,100vw)] p-4 pb-[max(1rem,env(safe-area-inset-bottom))] outline-none max-md:bottom-16"
      />
    </Primitive.Provider>
  );
}
