import { Link } from "wouter";
import { buttonClass } from "@/ui/button";

export default function NotFound() {
  return (
    <div className="flex flex-col items-center gap-6 px-8 py-28 text-center">
      <h1 className="font-serif text-5xl leading-tight text-balance">404 Page Not Found</h1>
      <p className="max-w-sm text-balance text-muted-foreground">
        There's nothing here. The post may have been deleted, or the link may be mistyped.
      </p>
      <Link href="/" className={buttonClass("primary", "large")}>
        Back to home
      </Link>
    </div>
  );
}
