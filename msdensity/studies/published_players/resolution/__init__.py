"""Resolution and forward chaining (002): what they decide, miss and cost."""
