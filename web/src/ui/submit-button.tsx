import type { ComponentProps } from "react";
import { Button } from "./button";

interface Props extends ComponentProps<typeof Button> {
  isPending: boolean;
  /** The label while the form is sent. */
  pending: string;
}

/** Sends a form. It is not disabled meanwhile: a disabled button loses the focus, and Escape its dialog. */
export function SubmitButton({ isPending, pending, children, ...rest }: Props) {
  return (
    <Button {...rest} type="submit" aria-disabled={isPending}>
      {isPending ? pending : children}
    </Button>
  );
}
