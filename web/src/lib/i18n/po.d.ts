declare module "*.po" {
  import type { CompiledMessage } from "@/lib/i18n/message";

  export const messages: Readonly<Record<string, CompiledMessage>>;
}
