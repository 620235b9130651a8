/** A member of the demo community, with the fields of the API. */
export interface Person {
  username: string;
  displayName: string;
  bio: string;
  website?: string;
  /** The username of the inviter; empty for the founder. */
  invitedBy: string;
  follows: readonly string[];
  /** Whether to upload a profile image and a header. */
  hasImages?: true;
}

/** The members, in the order in which they join. */
export const people: readonly Person[] = [
  {
    username: "mara",
    displayName: "Mara Lindqvist",
    bio: "Let the first people in. Mostly found near a kettle.",
    website: "https://mara.example/",
    invitedBy: "",
    follows: ["amina", "weilin", "tomas", "noor"],
  },
  {
    username: "jonas",
    displayName: "Jonas Weber",
    bio: "Repairs bicycles all week and bakes on Sundays.",
    website: "https://jonas-fixes.example/workshop",
    invitedBy: "mara",
    follows: ["amina", "priya", "tomas"],
    hasImages: true,
  },
  {
    username: "amina",
    displayName: "Amina Diallo",
    bio: "Night nurse. Reads poems between rounds and posts the good ones here.",
    invitedBy: "mara",
    follows: ["jonas", "weilin", "elif", "noor"],
  },
  {
    username: "priya",
    displayName: "Priya Nair",
    bio: "Type designer. Draws one letter a day and keeps the bad ones too.",
    website: "https://letters.example/",
    invitedBy: "jonas",
    follows: ["mara", "weilin", "sam", "elif"],
  },
  {
    username: "tomas",
    displayName: "Tomás Herrera",
    bio: "Builds small web things that load quickly.",
    invitedBy: "jonas",
    follows: ["priya", "weilin", "sam"],
  },
  {
    username: "noor",
    displayName: "نور حداد",
    bio: "مترجمة. أكتب عن الكتب والقطط.",
    invitedBy: "amina",
    follows: ["amina", "elif"],
  },
  {
    username: "weilin",
    displayName: "Wei Lin 林薇",
    bio: "Birds before breakfast, databases after.",
    invitedBy: "amina",
    follows: ["mara", "amina", "tomas"],
    hasImages: true,
  },
  {
    username: "elif",
    displayName: "Elif Demir",
    bio: "Potter. The kiln decides.",
    invitedBy: "priya",
    follows: ["priya", "amina", "jonas"],
  },
  {
    username: "sam",
    displayName: "Sam Okafor 🌱",
    bio: "Allotment 14. Tomatoes, beans and far too many courgettes. Swap you some for a book, a recipe, or a good story about a train.",
    invitedBy: "priya",
    follows: ["elif", "tomas", "jonas"],
  },
  {
    username: "hugo",
    displayName: "Hugo Martin",
    bio: "",
    invitedBy: "tomas",
    follows: ["tomas"],
  },
  {
    username: "ola",
    displayName: "Ola Nowak",
    bio: "Trains, maps, and trains on maps.",
    invitedBy: "tomas",
    follows: ["sam", "weilin"],
  },
];

/** The username of the viewer in screenshots. */
export const reader = "jonas";
