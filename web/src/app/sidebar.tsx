import { PenLine } from "lucide-react";
import { Link } from "wouter";
import { openCompose } from "@/features/posts/compose";
import { Button } from "@/ui/button";
import { Logo } from "@/ui/logo";
import { navEntries } from "./nav";
import { NavLink } from "./nav-link";
import { UserMenu } from "./user-menu";

/** The left column of large screens. */
export function Sidebar() {
  return (
    <header className="sticky top-0 flex h-dvh w-66 shrink-0 flex-col overflow-y-auto py-5 pr-6 max-lg:hidden">
      <Link href="/" aria-label="Kith, home" className="mb-6 ml-4 w-fit">
        <Logo size={25} />
      </Link>
      <nav aria-label="Main" className="flex flex-col gap-1">
        {navEntries.map((entry) => (
          <NavLink key={entry.label} entry={entry} shape="row" />
        ))}
      </nav>
      <Button size="large" className="mt-6" onClick={() => openCompose()}>
        <PenLine size={18} aria-hidden />
        New Post
      </Button>
      <div className="mt-auto pt-6">
        <UserMenu />
      </div>
    </header>
  );
}
