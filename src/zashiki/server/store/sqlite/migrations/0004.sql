-- The key that a client chose for a line of chat: sent again, the line is not said twice.
ALTER TABLE chat ADD COLUMN "key" TEXT;
CREATE UNIQUE INDEX chat_keys ON chat ("table", player, "key") WHERE "key" IS NOT NULL;
