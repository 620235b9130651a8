import type { ComponentPropsWithRef } from "react";
import { cx } from "@/lib/dom/cx";

const variants = {
  // The clear borders show where forced colours take the ground away.
  // Ember at half strength turns to mud on dark paper, so a primary button loses it instead.
  primary:
    "border border-transparent bg-ember-deep text-on-ember hover:bg-ember-deeper disabled:bg-line disabled:text-muted",
  inverted: "border border-transparent bg-ink text-paper hover:opacity-85 disabled:opacity-45",
  outline: "border border-line text-ink hover:bg-wash disabled:opacity-45",
  ghost: "text-ink hover:bg-wash disabled:opacity-45",
  destructive:
    "border border-transparent bg-danger text-paper hover:opacity-85 disabled:opacity-45",
};

const sizes = {
  small: "h-9 px-4 text-sm",
  medium: "h-10 px-5 text-[15px]",
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
        "inline-flex size-10 shrink-0 items-center justify-center rounded-full text-ink",
        "transition-colors duration-150 hover:bg-wash disabled:cursor-not-allowed disabled:opacity-45",
        className,
      )}
    />
  );
}
