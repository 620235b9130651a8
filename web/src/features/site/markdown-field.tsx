import { t } from "@lingui/core/macro";
import { type ComponentProps, useId, useState } from "react";
import { MarkdownText } from "@/components/markdown-text";
import { Button } from "@/ui/button";
import { TextAreaField } from "@/ui/text-field";
import { countCodePoints, MAX_PAGE_LENGTH } from "./settings-values";

type Props = Omit<ComponentProps<typeof TextAreaField>, "length" | "max"> & { value: string };

/** A text in Markdown, with a preview below it on request. */
export function MarkdownField(props: Props) {
  const { value, label } = props;
  const [isShown, setShown] = useState(false);
  const id = useId();
  return (
    <div>
      <TextAreaField
        {...props}
        length={countCodePoints(value)}
        max={MAX_PAGE_LENGTH}
        rows={6}
        dir="auto"
        className="min-h-40"
        action={
          <Button
            variant="ghost"
            size="small"
            aria-expanded={isShown}
            aria-controls={id}
            aria-label={isShown ? t`Hide the preview of ${label}` : t`Preview ${label}`}
            disabled={value.trim() === ""}
            onClick={() => setShown(!isShown)}
            className="-me-2"
          >
            {isShown ? t`Hide preview` : t`Preview`}
          </Button>
        }
      />
      <div
        id={id}
        dir="auto"
        hidden={!isShown || value.trim() === ""}
        className="prose-text mt-3 rounded-2xl border border-border px-4 pb-4"
      >
        {isShown && <MarkdownText text={value} />}
      </div>
    </div>
  );
}
