import type { ComponentPropsWithRef } from "react";
import { cx } from "@/lib/dom/cx";

const variants = {
  // The clear borders show where forced colours take the ground away.
  // The accent at half strength turns to mud on a dark background, so a primary button loses it instead.
  primary:
    "border border-transparent bg-primary-strong text-primary-foreground hover:bg-primary-stronger disabled:bg-border disabled:text-muted-foreground",
  inverted:
    "border border-transparent bg-foreground text-background hover:opacity-85 disabled:opacity-45",
  outline: "border border-border text-foreground hover:bg-muted disabled:opacity-45",
  ghost: "text-foreground hover:bg-muted disabled:opacity-45",
  destructive:
    "border border-transparent bg-destructive text-background hover:opacity-85 disabled:opacity-45",
};

const sizes = {
  small: "h-9 px-4 text-sm",
  medium: "h-10 px-5 text-body-sm",
  large: "h-12 px-6 text-base",
  round: "size-12",
};

/** The class names of a button, for links that look like one. */
export function buttonClass(
  variant: keyof typeof variants = "primary",
  size: keyof typeof sizes = "medium",
): string {
  return cx(
    "inline-flex shrink-0 items-center justify-center gap-2 rounded-full font-semibold whitespace-nowrap pointer-coarse:min-h-11",
    "transition-[background-color,color,opacity,transform] duration-150 active:scale-[0.98]",
    "disabled:cursor-not-allowed disabled:active:scale-100",
    variants[variant],
    sizes[size],
  );
}

type Props = ComponentPropsWithRef<"button"> & {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
};

export function Button({ variant, size, className, type = "button", ...rest }: Props) {
  return <button {...rest} type={type} className={cx(buttonClass(variant, size), className)} />;
}

type IconButtonProps = ComponentPropsWithRef<"button"> & { label: string };

/** A round button with only an icon on it; `label` is its name and tooltip. */
export function IconButton({ label, className, type = "button", ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        "inline-flex size-10 shrink-0 items-center justify-center rounded-full text-foreground",
        "transition-colors duration-150 hover:bg-muted disabled:cursor-not-allowed disabled:opacity-45",
        className,
      )}
    />
  );
}
