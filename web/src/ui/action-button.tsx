import { type ComponentProps, useState } from "react";
import { Button } from "./button";
import { lazyOverlay } from "./lazy-overlay";
import { ignoreDoubleClick } from "./ignore-double-click";

const ConfirmDialog = lazyOverlay(() => import("./confirm-dialog"));

interface Mutation {
  isPending: boolean;
  mutate: (variables: void, options?: { onSuccess: () => void }) => void;
}

interface ActionProps extends ComponentProps<typeof Button> {
  mutation: Mutation;
  pending?: string;
}

/** A button that runs a mutation. It is not disabled meanwhile: a disabled button loses the focus. */
export function ActionButton({ mutation, pending, children, ...rest }: ActionProps) {
  const { isPending, mutate } = mutation;
  return (
    <Button
      variant="outline"
      {...rest}
      aria-disabled={isPending}
      onClick={ignoreDoubleClick(() => !isPending && mutate())}
    >
      {isPending ? (pending ?? children) : children}
    </Button>
  );
}

interface ConfirmProps extends ComponentProps<typeof Button> {
  mutation: Mutation;
  /** The confirmation before the mutation. */
  confirm: { title: string; description: string; action: string; pendingAction: string };
}

/** A button that asks before it runs a mutation. */
export function ConfirmButton({ mutation, confirm, ...rest }: ConfirmProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="outline" {...rest} onClick={() => setAsking(true)} />
      {isAsking && (
        <ConfirmDialog
          {...confirm}
          pending={mutation.isPending}
          onConfirm={() => mutation.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
